import { type MouseEvent, type RefObject, useMemo, useState } from 'react'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { indexOfRow, isControl } from '../../ui/grid/dom.ts'
import { allOf, pick } from '../../ui/grid/range-set.ts'
import { clear, type GridState, toggleRow } from '../../ui/grid/selection.ts'
import type { GridHandle } from '../../ui/grid/virtual-grid.tsx'
import { useGridState } from '../files/listing/use-grid-state.ts'

const keyOf = (item: ResourceItem) => item.name

/**
 * Focus and selection in a shared folder, and the selection mode, in which every click and tap selects; a selection
 * begins it, too. Esc ends both.
 */
export function useSelection(
  rows: readonly ResourceItem[],
  start: (rows: readonly ResourceItem[]) => GridState,
  grid: RefObject<GridHandle | null>,
) {
  const [state, setState] = useGridState(rows, start, keyOf)
  const [choosing, setChoosing] = useState(false)
  const selection = useMemo(() => pick(state.selected, rows), [state.selected, rows])
  const active = choosing || selection.length > 0
  const end = () => {
    setChoosing(false)
    setState(clear(state))
    grid.current?.focus()
  }
  const selectAll = () => {
    setState({ ...state, selected: allOf(rows.length) })
    grid.current?.focus()
  }
  useShortcuts('listing', [
    { keys: 'Escape', run: () => (active ? end() : false) },
    { keys: 'Ctrl+A', run: selectAll },
  ])
  /** Handles the click before the grid does. */
  const onClickCapture = (event: MouseEvent<HTMLElement>) => {
    const index = indexOfRow(event.target)
    const held = event.shiftKey || event.ctrlKey || event.metaKey
    if (index < 0 || held || isControl(event.target)) return
    // The first click of a double click has opened the folder that this one hits.
    if (!active) return void (event.detail > 1 && event.stopPropagation())
    event.stopPropagation()
    setState(toggleRow(state, index))
  }
  return { state, setState, selection, active, begin: () => setChoosing(true), end, selectAll, onClickCapture }
}
