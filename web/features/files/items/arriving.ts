import type { FilePath } from '../../../../shared/path.ts'
import type { Sorting } from '../../../../shared/sorting.ts'
import { createStore } from '../../../lib/store.ts'
import type { GridState } from '../../../ui/grid/selection.ts'
import type { ListedItem } from '../api/edit-listing.ts'

/** The rows of what this page uploads into a folder, until its listing has the items. */
export interface Arriving {
  folder: FilePath
  addRows: (rows: readonly ListedItem[], sorting: Sorting) => readonly ListedItem[]
  /** A state in which none of those rows is selected. */
  withoutRows: (state: GridState, rows: readonly ListedItem[]) => GridState
}

export const arrivingStore = createStore<Arriving | null>(null)
