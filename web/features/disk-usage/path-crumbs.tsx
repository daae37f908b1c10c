import { shownName } from '../../../shared/bytes.ts'
import { type FilePath, ROOT, segmentsOf, trustedChild } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { ChevronRight } from '../../ui/icons.ts'
import styles from './sizes.module.css'

/** The folders above the one whose sizes are shown, as links. */
export function PathCrumbs({ path, onGo }: { path: FilePath; onGo: (path: FilePath) => void }) {
  const names = segmentsOf(path)
  const folders = names.map((name, index) => ({
    label: name,
    path: names.slice(0, index + 1).reduce(trustedChild, ROOT),
  }))
  const crumbs = [{ label: t('files.home'), path: ROOT }, ...folders]
  return (
    <nav aria-label={t('files.location')}>
      <ol className={styles.way}>
        {crumbs.map((crumb, index) => (
          <li key={crumb.path}>
            {index > 0 && <ChevronRight size={16} className={styles.arrow} aria-hidden />}
            <button
              type="button"
              className={styles.crumb}
              aria-current={crumb.path === path ? 'page' : undefined}
              onClick={() => onGo(crumb.path)}
            >
              <bdi>{shownName(crumb.label)}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
