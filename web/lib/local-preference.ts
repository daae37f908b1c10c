import { createStore, type Store } from './store.ts'

/** One of a few values, chosen for this browser and remembered by it. */
export interface BrowserChoice<T> {
  store: Store<T>
  choose(value: T): void
}

/** @param fallback while nothing has been chosen */
export function browserChoice<T extends string>(key: string, values: readonly T[], fallback: T): BrowserChoice<T> {
  const store = createStore<T>(read(key, values) ?? fallback)
  return {
    store,
    choose(value) {
      store.set(value)
      try {
        localStorage.setItem(key, value)
      } catch {
        // Storage may be forbidden; the choice then lasts as long as the page.
      }
    },
  }
}

function read<T extends string>(key: string, values: readonly T[]): T | undefined {
  try {
    const kept = localStorage.getItem(key)
    return values.find(value => value === kept)
  } catch {
    return undefined
  }
}
