import { useCallback, useEffect, useState } from 'react'
import { locationStore } from '../../../lib/history.ts'
import { carryOver, clear, type GridState, INITIAL } from '../../../ui/grid/selection.ts'

interface Held<T> {
  rows: readonly T[]
  state: GridState
}

/**
 * Focus and selection over rows that may change or be sorted again: both follow their rows. The focus stays on the
 * first row until the user touches the grid. A change of address clears the selection, even one reverted before the
 * other folder was shown.
 */
export function useGridState<T>(
  rows: readonly T[],
  start: (rows: readonly T[]) => GridState,
  keyOf: (row: T) => string,
): [GridState, (next: GridState) => void] {
  const [held, setHeld] = useState<Held<T>>(() => ({ rows, state: start(rows) }))
  let current = held
  if (held.rows !== rows) {
    const state = held.state === INITIAL ? INITIAL : carryOver(held.state, held.rows, rows, keyOf)
    current = { rows, state }
    setHeld(current)
  }
  const setState = useCallback((state: GridState) => setHeld(now => ({ rows: now.rows, state })), [])
  useEffect(() => locationStore.subscribe(() => setHeld(now => ({ rows: now.rows, state: clear(now.state) }))), [])
  return [current.state, setState]
}
