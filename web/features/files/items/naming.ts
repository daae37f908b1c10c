import type { ReactNode } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../shared/path.ts'
import type { Sorting } from '../../../../shared/sorting.ts'
import { createStore } from '../../../lib/store.ts'
import type { GridState } from '../../../ui/grid/selection.ts'
import type { ListedItem } from '../api/edit-listing.ts'

/** A name to ask for. */
export type NameQuestion = (
  | { what: 'rename'; item: ResourceItem }
  | { what: 'folder' | 'file' /** Parent of the new item. */; folder: FilePath }
) & {
  /** The refused name, and why it was refused. */
  value?: string
  problem?: string
}

/** A name that is being typed in a row of a folder. */
export interface Naming {
  folder: FilePath
  /** Adds the row of an item that is not there yet. */
  addRow: (rows: readonly ListedItem[], sorting: Sorting) => readonly ListedItem[]
  /** A state in which that row is not selected. */
  withoutRow: (state: GridState, rows: readonly ListedItem[]) => GridState
  /** The row of the field, and the field; `undefined` once the row is gone. */
  over: (rows: readonly ListedItem[]) => { index: number; cells: ReactNode } | undefined
}

export const namingStore = createStore<Naming | null>(null)
