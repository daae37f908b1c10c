import type { LockInfo } from '../../../../shared/api/locks.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Lock } from '../../../ui/icons.ts'
import { holderOf } from './holder.ts'
import styles from './locks.module.css'

/** Marks a locked item in its row. */
export default function LockMark({ locks }: { locks: readonly LockInfo[] }) {
  const label = t('locks.markBy', { who: locks.map(holderOf).join(', ') })
  return (
    <span className={styles.mark} role="img" aria-label={label} data-tip={label}>
      <Lock size={14} aria-hidden />
    </span>
  )
}
