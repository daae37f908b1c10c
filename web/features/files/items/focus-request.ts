import { type FilePath, isWithin, segmentsOf } from '../../../../shared/path.ts'
import { createStore, useStore } from '../../../lib/store.ts'

/** A row that wants the focus as soon as its folder shows it. */
export interface FocusRequest {
  folder: string
  name: string
  /** Whether it is selected, too. */
  select: boolean
}

const store = createStore<FocusRequest | null>(null)

/** Asks the folder view to focus, and to select unless told otherwise, the entry of this name: a folder just made, say. */
export function requestFocus(folder: string, name: string, select = true): void {
  store.set({ folder, name, select })
}

export function useFocusRequest(): FocusRequest | null {
  return useStore(store)
}

export function settleFocusRequest(): void {
  store.set(null)
}

/** The entry of `folder` that leads to where we come from, if that lies below it. */
export function wayBack(folder: FilePath, from: FilePath | undefined): string | undefined {
  if (from === undefined || from === folder || !isWithin(from, folder)) return undefined
  return segmentsOf(from)[segmentsOf(folder).length]
}
