import { type FilePath, isWithin, segmentsOf } from '../../../../shared/path.ts'
import { createStore, useStore } from '../../../lib/store.ts'

/** A request to focus a row as soon as its folder shows it. */
export interface FocusRequest {
  folder: string
  name: string
  /** Whether to select it, too. */
  select: boolean
}

const store = createStore<FocusRequest | null>(null)

/** Requests the focus, and by default the selection, for the entry of this name: a new folder, for instance. */
export function requestFocus(folder: string, name: string, select = true): void {
  store.set({ folder, name, select })
}

export function useFocusRequest(): FocusRequest | null {
  return useStore(store)
}

export function settleFocusRequest(): void {
  store.set(null)
}

/** The entry of `folder` that leads to the previous path, if that lies below `folder`. */
export function wayBack(folder: FilePath, from: FilePath | undefined): string | undefined {
  if (from === undefined || from === folder || !isWithin(from, folder)) return undefined
  return segmentsOf(from)[segmentsOf(folder).length]
}
