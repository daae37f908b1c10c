import { useState } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { filesUrl } from '../../lib/router.tsx'
import { EmptyList } from '../../ui/empty-list.tsx'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { Clock } from '../../ui/icons.ts'
import { recentQuery } from './api/marks.ts'
import styles from './marks.module.css'
import { MarksPage } from './page.tsx'
import { MarkedFacts } from './row.tsx'

const LISTS = ['opened', 'changed'] as const

/** What the user opened and changed last. */
export function RecentPage() {
  const query = useQuery(recentQuery)
  const [shown, setShown] = useState<(typeof LISTS)[number]>('opened')
  const items = query.data?.[shown] ?? []
  const isOff = shown === 'opened' && query.data?.remember === false
  const chips = (
    <div className={styles.chips}>
      {LISTS.map(list => (
        <FilterChip key={list} label={t(`marks.${list}`)} pressed={list === shown} onClick={() => setShown(list)} />
      ))}
    </div>
  )
  return (
    <MarksPage title={t('nav.recent')} tools={chips} query={query}>
      {items.length > 0 ? (
        <ul className={styles.list} aria-label={t(`marks.${shown}`)}>
          {items.map(item => (
            <li key={item.id} className={styles.row}>
              <MarkedFacts item={item} to={filesUrl(item.path, item.isDir)} time={item.time} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyList
          icon={<Clock size={40} aria-hidden />}
          title={t(isOff ? 'marks.notNoted' : 'marks.noRecent')}
          text={t(isOff ? 'marks.notNotedText' : 'marks.noRecentText')}
        />
      )}
    </MarksPage>
  )
}
