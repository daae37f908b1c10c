import { type FilePath, ROOT } from '../../../../shared/path.ts'
import { createStore, useStore } from '../../../lib/store.ts'

const store = createStore<FilePath | undefined>(undefined)

/** The folder in the second pane; `undefined` while that is closed. */
export function useSecondPane(): FilePath | undefined {
  return useStore(store)
}

export function showInSecondPane(path: FilePath | undefined): void {
  store.set(path)
}

/** Opens the second pane at a folder, or closes it. */
export function toggleSecondPane(path: FilePath = ROOT): void {
  store.set(store.get() === undefined ? path : undefined)
}
