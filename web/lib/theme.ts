import { pageConfig } from './config.ts'
import { createStore, useStore } from './store.ts'

/** `auto` follows the system. */
export type Theme = 'light' | 'dark' | 'auto'

const STORAGE_KEY = 'filigree.theme'

function isTheme(value: unknown): value is Theme {
  return value === 'light' || value === 'dark' || value === 'auto'
}

function readChoice(): Theme | undefined {
  try {
    const value = localStorage.getItem(STORAGE_KEY)
    return isTheme(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** This browser's own choice, else the instance's: an empty value is light. */
const store = createStore<Theme>(readChoice() ?? (pageConfig.Theme || 'light'))

/** Puts the theme on the page. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = store.get()
}

/** Chooses a theme for this browser. */
export function setTheme(theme: Theme): void {
  store.set(theme)
  applyTheme()
  try {
    localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

export function useTheme(): Theme {
  return useStore(store)
}
