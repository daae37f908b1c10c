import { useRef, useState } from 'react'
import type { FilePath } from '../../../shared/path.ts'
import type { Sorting } from '../../../shared/sorting.ts'
import { locationStore } from '../../lib/history.ts'
import { useHistoryState } from '../../lib/router.tsx'

/** A position in the results. */
interface Position {
  offset?: number
  /** Of the result that was opened. */
  path?: FilePath
}

interface Kept extends Position {
  sorting?: Sorting | undefined
}

export interface TablePlace {
  /** The order of the results; none is that in which they were found. */
  sorting: Sorting | undefined
  sort: (sorting: Sorting) => void
  /** Whether the user came back, by Back or a reload, to results that were left. */
  returned: boolean
  /** Where they were left; only for the first search since then. */
  takeLeft: () => Position | undefined
  /** Stores a position for that. */
  leave: (position: Position) => void
}

/** Stores order and position of the results with the history entry. */
export function useTablePlace(): TablePlace {
  const { read, write } = useHistoryState<Kept>('search')
  const [left] = useState(() => (locationStore.get().arrival === 'push' ? undefined : read()))
  const kept = useRef<Kept>(left ?? {})
  const [sorting, setSorting] = useState(left?.sorting)
  const keep = (change: Kept) => {
    kept.current = { ...kept.current, ...change }
    write(kept.current)
  }
  const sort = (next: Sorting) => {
    setSorting(next)
    keep({ sorting: next })
  }
  const unused = useRef(left)
  const takeLeft = () => {
    const position = unused.current
    unused.current = undefined
    return position
  }
  return { sorting, sort, returned: left?.path !== undefined, takeLeft, leave: keep }
}
