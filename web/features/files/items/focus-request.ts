import { type FilePath, isWithin, segmentsOf } from '../../../../shared/path.ts'
import { createStore, useStore } from '../../../lib/store.ts'

/** A request to focus rows as soon as their folder shows one of them. */
export interface FocusRequest {
  folder: string
  names: readonly string[]
  /** Whether to select them, too. */
  select: boolean
}

const store = createStore<FocusRequest | null>(null)

/**
 * Requests the focus, and by default the selection, for entries by name: a new folder, for instance. Of several the
 * first is focused.
 */
export function requestFocus(folder: string, names: string | readonly string[], select = true): void {
  store.set({ folder, names: [names].flat(), select })
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
