import { createStore, type Store } from './store.ts'

/** A preference with a few values, stored in this browser. */
export interface LocalPreference<T> {
  store: Store<T>
  choose(value: T): void
}

/**
 * @param fallback the value until one has been set
 */
export function localPreference<T extends string>(key: string, values: readonly T[], fallback: T): LocalPreference<T> {
  const store = createStore<T>(read(key, values) ?? fallback)
  return {
    store,
    choose(value) {
      store.set(value)
      try {
        localStorage.setItem(key, value)
      } catch {
        // Storage may be unavailable; the preference then lasts as long as the page.
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
