import { createStore, useStore } from '../../../lib/store.ts'

const STORAGE_KEY = 'filigree.details'

const store = createStore(readOpen())

/** Whether the details stand beside the listing, where there is room for them. Kept in this browser. */
export function useDetailsOpen(): boolean {
  return useStore(store)
}

export function toggleDetails(): void {
  const open = !store.get()
  store.set(open)
  try {
    localStorage.setItem(STORAGE_KEY, open ? 'open' : '')
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

function readOpen(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'open'
  } catch {
    return false
  }
}
