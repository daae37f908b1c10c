import { useState } from 'react'
import { SHARE_PAGE_ITEMS } from '../../../shared/limits.ts'
import { useHistoryState } from '../../lib/router.tsx'

/** Number of visible items: 100, and 100 more each time. Stored with the history entry. */
export function useLoadMore(total: number): { shown: number; more: number; showMore: () => void } {
  const { read, write } = useHistoryState<number>('shown')
  const [limit, setLimit] = useState(() => read() ?? SHARE_PAGE_ITEMS)
  const shown = Math.min(limit, total)
  const showMore = () => {
    write(limit + SHARE_PAGE_ITEMS)
    setLimit(limit + SHARE_PAGE_ITEMS)
  }
  return { shown, more: Math.min(SHARE_PAGE_ITEMS, total - shown), showMore }
}
