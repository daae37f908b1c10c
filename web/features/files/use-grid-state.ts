import { useCallback, useState } from 'react'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { carryOver, type GridState, INITIAL } from '../../ui/grid/selection.ts'

interface Held {
  rows: readonly ResourceItem[]
  state: GridState
}

const keyOf = (item: ResourceItem) => item.name

/**
 * Focus and selection over rows that may be sorted anew or change: both follow their rows. As long as nobody has
 * touched the grid the focus stays on the first row.
 */
export function useGridState(
  rows: readonly ResourceItem[],
  start: (rows: readonly ResourceItem[]) => GridState,
): [GridState, (next: GridState) => void] {
  const [held, setHeld] = useState<Held>(() => ({ rows, state: start(rows) }))
  let current = held
  if (held.rows !== rows) {
    const state = held.state === INITIAL ? INITIAL : carryOver(held.state, held.rows, rows, keyOf)
    current = { rows, state }
    setHeld(current)
  }
  const setState = useCallback((state: GridState) => setHeld(now => ({ rows: now.rows, state })), [])
  return [current.state, setState]
}
