import { createStore, useStore } from '../../lib/store.ts'

export interface SearchState {
  open: boolean
  /** As typed. */
  text: string
  /** Below the current folder, not everywhere. */
  onlyHere: boolean
  /** In contents instead of names. */
  inContents: boolean
  /** Number of requests to search at once, without the debounce. */
  asked: number
}

const CLOSED: SearchState = { open: false, text: '', onlyHere: true, inContents: false, asked: 0 }
const store = createStore(CLOSED)

export function changeSearch(part: Partial<SearchState>): void {
  store.set({ ...store.get(), ...part })
}

export function openSearch(): void {
  changeSearch({ open: true })
}

/** Searches at once, also for the same text again. */
export function searchNow(): void {
  changeSearch({ asked: store.get().asked + 1 })
}

export function forgetSearch(): void {
  store.set(CLOSED)
}

/** What is typed and chosen now. */
export const currentSearch = store.get

export function useSearch(): SearchState {
  return useStore(store)
}
