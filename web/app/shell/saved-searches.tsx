import type { SavedSearch } from '../../../shared/api/saved-searches.ts'
import { isSavedAt, placeOf } from '../../features/search/saved-places.ts'
import { t } from '../../lib/i18n/index.ts'
import { searchUrl } from '../../lib/route.ts'
import { Link, useRoute } from '../../lib/router.tsx'
import { Search } from '../../ui/icons.ts'
import styles from './folders.module.css'
import sidebar from './sidebar.module.css'

/** The searches that the user saved. */
export function SavedSearches({ searches }: { searches: readonly SavedSearch[] }) {
  const route = useRoute()
  return (
    <>
      <p className={styles.heading}>{t('nav.searches')}</p>
      <ul className={sidebar.list} aria-label={t('nav.searches')}>
        {searches.map(search => {
          const isCurrent = route.name === 'search' && isSavedAt(search, route)
          return (
            <li key={search.id}>
              <Link
                to={searchUrl(placeOf(search))}
                className={sidebar.entry}
                aria-current={isCurrent ? 'page' : undefined}
              >
                <Search size={18} aria-hidden />
                <bdi className={sidebar.label}>{search.name}</bdi>
              </Link>
            </li>
          )
        })}
      </ul>
    </>
  )
}
