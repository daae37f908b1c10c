import { pageConfig } from './config.ts'
import { localPreference } from './local-preference.ts'
import { useStore } from './store.ts'

/** `auto` follows the system. */
const THEMES = ['light', 'dark', 'auto'] as const
export type Theme = (typeof THEMES)[number]

/** This browser's own setting, else the instance's: an empty value is light. */
const choice = localPreference('filigree.theme', THEMES, pageConfig.Theme || 'light')

/** Applies the theme to the page. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = choice.store.get()
}

/** Sets the theme for this browser. */
export function setTheme(theme: Theme): void {
  choice.choose(theme)
  applyTheme()
}

export function useTheme(): Theme {
  return useStore(choice.store)
}
