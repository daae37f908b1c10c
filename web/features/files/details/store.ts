import { createStore, useStore } from '../../../lib/store.ts'

const STORAGE_KEY = 'filigree.details'

const store = createStore(readOpen())

/** Whether the details panel is open next to the listing. Stored in this browser. */
export function useDetailsOpen(): boolean {
  return useStore(store)
}

export function toggleDetails(): void {
  const open = !store.get()
  store.set(open)
  try {
    localStorage.setItem(STORAGE_KEY, open ? 'open' : '')
  } catch {
    // Storage may be unavailable; the preference then lasts as long as the page.
  }
}

function readOpen(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'open'
  } catch {
    return false
  }
}
