import type { ReactNode } from 'react'
import type { LockInfo } from '../../../../shared/api/locks.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { holderOf } from './holder.ts'
import styles from './locks.module.css'

interface LockListProps {
  /** The item that is shown. */
  path: string
  locks: readonly LockInfo[]
  /** A button for a lock. */
  action: (lock: LockInfo) => ReactNode
}

/** Who holds the locks of an item, since when, and until when. */
export function LockList({ path, locks, action }: LockListProps) {
  return (
    <ul className={styles.list}>
      {locks.map(lock => (
        <li key={lock.id} className={styles.lock}>
          <span>{holderOf(lock)}</span>
          {lock.path !== path && (
            <span className={styles.more}>
              {lock.path.startsWith(`${path}/`) ? (
                <bdi>{shownName(lock.path)}</bdi>
              ) : (
                t('locks.folder', { path: shownName(lock.path) })
              )}
            </span>
          )}
          <span className={styles.more}>
            {t('locks.time', { since: formatDate(lock.since), until: formatDate(lock.until) })}
          </span>
          {action(lock)}
        </li>
      ))}
    </ul>
  )
}
