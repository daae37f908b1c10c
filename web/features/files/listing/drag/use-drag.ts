import { type DragEvent, useCallback } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../../shared/path.ts'
import { has } from '../../../../ui/grid/range-set.ts'
import { type GridState, includeRow } from '../../../../ui/grid/selection.ts'
import type { ListedItem } from '../../api/edit-listing.ts'
import type { BeginDrag } from './drag.ts'

let part: typeof import('./move-by-drag.ts') | undefined

/** Loads the drag module; nothing can be dragged before that. */
export async function loadDrag(): Promise<void> {
  part = await import('./move-by-drag.ts')
}

interface Source {
  path: FilePath
  rows: readonly ListedItem[]
  selection: readonly ResourceItem[]
  state: GridState
  setState: (next: GridState) => void
  /** Files that are not the user's own. */
  begin?: BeginDrag | undefined
}

/** Starts a drag of the selection if it includes the row, else of the row alone, which becomes the selection. */
export function useDrag({ path, rows, selection, state, setState, begin }: Source) {
  return useCallback(
    (event: DragEvent<HTMLElement>, index: number) => {
      const item = rows[index]
      const start = begin ?? part?.beginDrag
      if (!start || !item || item.cells) return event.preventDefault()
      const items = has(state.selected, index) ? selection : [item]
      setState(includeRow(state, index))
      start(event, items, path)
    },
    [path, rows, selection, state, setState, begin],
  )
}
