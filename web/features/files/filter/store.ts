import type { FilePath } from '../../../../shared/path.ts'
import { locationStore } from '../../../lib/history.ts'
import { createStore, useStore } from '../../../lib/store.ts'

/** What somebody looks for in the names of the folder on the screen. */
interface Filter {
  folder: FilePath
  text: string
}

const store = createStore<Filter | null>(null)

// Another place starts with everything in sight.
locationStore.subscribe(closeFilter)

/** Looks for names in a folder; with an empty text, everything is still to be seen. */
export function setFilter(folder: FilePath, text: string): void {
  store.set({ folder, text })
}

export function closeFilter(): void {
  store.set(null)
}

/** What is looked for in this folder; `undefined` when nothing is. */
export function useFilter(folder: FilePath): string | undefined {
  const filter = useStore(store)
  return filter?.folder === folder ? filter.text : undefined
}

export function isFiltering(): boolean {
  return store.get() !== null
}
