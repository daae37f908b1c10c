import { t } from '../../lib/i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import styles from './public-share.module.css'

export interface MoreBarProps {
  shown: number
  total: number
  /** How many the next click shows. */
  more: number
  onMore: () => void
}

/** Says how many items are shown, and shows more. */
export function MoreBar({ shown, total, more, onMore }: MoreBarProps) {
  return (
    <div className={styles.more}>
      <p role="status">{t('publicShare.shown', { shown, total })}</p>
      <Button onClick={onMore}>{t('publicShare.showMore', { count: more })}</Button>
    </div>
  )
}
