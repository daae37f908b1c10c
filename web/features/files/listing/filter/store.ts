import type { FilePath } from '../../../../../shared/path.ts'
import { locationStore } from '../../../../lib/history.ts'
import { createStore, useStore } from '../../../../lib/store.ts'

/** What somebody looks for in the names of the folder on the screen. */
interface Filter {
  folder: FilePath
  text: string
  /** How often it was asked for: each time the field takes the focus. */
  asked: number
}

const store = createStore<Filter | null>(null)

// Another place starts with everything in sight.
locationStore.subscribe(closeFilter)

/** Shows the field, empty at first, and takes the focus to it. */
export function openFilter(folder: FilePath): void {
  const filter = store.get()
  const text = filter?.folder === folder ? filter.text : ''
  store.set({ folder, text, asked: (filter?.asked ?? 0) + 1 })
}

/** Looks for names in a folder; with an empty text, everything is still to be seen. */
export function setFilter(folder: FilePath, text: string): void {
  store.set({ folder, text, asked: store.get()?.asked ?? 0 })
}

export function closeFilter(): void {
  store.set(null)
}

/** What is looked for in this folder; `undefined` when nothing is. */
export function useFilter(folder: FilePath): string | undefined {
  const filter = useStore(store)
  return filter?.folder === folder ? filter.text : undefined
}

/** How often the filter was asked for. */
export function useFilterAsked(): number {
  return useStore(store)?.asked ?? 0
}

export function isFiltering(): boolean {
  return store.get() !== null
}
