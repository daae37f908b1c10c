import { createStore, type Store } from './store.ts'

/** A preference stored in this browser. */
export interface LocalPreference<T> {
  store: Store<T>
  choose(value: T): void
}

/**
 * A preference with a few values.
 * @param fallback the value until one has been set
 */
export function localPreference<T extends string>(key: string, values: readonly T[], fallback: T): LocalPreference<T> {
  return storedPreference(key, text => values.find(value => value === text) ?? fallback, String)
}

/** A width or height in CSS pixels. */
export interface LocalSize extends LocalPreference<number> {
  lowest: number
  /** Until another has been set. */
  normal: number
}

export function localSize(key: string, lowest: number, normal: number): LocalSize {
  const size = storedPreference(key, text => (Number(text) >= lowest ? Number(text) : normal), String)
  return { ...size, lowest, normal }
}

/**
 * @param parse gives a value for any stored text, and for `null`: nothing is stored
 * @param write gives the text to store
 */
export function storedPreference<T>(
  key: string,
  parse: (text: string | null) => T,
  write: (value: T) => string,
): LocalPreference<T> {
  const store = createStore<T>(parse(read(key)))
  return {
    store,
    choose(value) {
      store.set(value)
      try {
        localStorage.setItem(key, write(value))
      } catch {
        // Storage may be unavailable; the preference then lasts as long as the page.
      }
    },
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
