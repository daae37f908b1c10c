import type { FilePath } from '../../../../../shared/path.ts'
import { locationStore } from '../../../../lib/history.ts'
import { createStore, useStore } from '../../../../lib/store.ts'

/** The name filter of the folder on the screen. */
interface Filter {
  folder: FilePath
  text: string
  /** Number of requests for the filter: each one focuses the field. */
  asked: number
}

const store = createStore<Filter | null>(null)

// Another folder starts unfiltered.
locationStore.subscribe(closeFilter)

/** Opens the field, initially empty, and focuses it. */
export function openFilter(folder: FilePath): void {
  const filter = store.get()
  const text = filter?.folder === folder ? filter.text : ''
  store.set({ folder, text, asked: (filter?.asked ?? 0) + 1 })
}

/** Filters a folder by name; an empty text shows everything. */
export function setFilter(folder: FilePath, text: string): void {
  store.set({ folder, text, asked: store.get()?.asked ?? 0 })
}

export function closeFilter(): void {
  store.set(null)
}

/** The filter text of this folder; `undefined` when it is not filtered. */
export function useFilter(folder: FilePath): string | undefined {
  const filter = useStore(store)
  return filter?.folder === folder ? filter.text : undefined
}

/** Number of requests for the filter so far. */
export function useFilterAsked(): number {
  return useStore(store)?.asked ?? 0
}

export function isFiltering(): boolean {
  return store.get() !== null
}
