import { t } from '../../lib/i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import styles from './public-share.module.css'

export interface LoadMoreProps {
  shown: number
  total: number
  /** Number of items the next click adds. */
  more: number
  onMore: () => void
}

/** Shows the number of visible items, and loads more. */
export function LoadMore({ shown, total, more, onMore }: LoadMoreProps) {
  return (
    <div className={styles.more}>
      <p role="status">{t('publicShare.shown', { shown, total })}</p>
      <Button onClick={onMore}>{t('publicShare.showMore', { count: more })}</Button>
    </div>
  )
}
