import { pageConfig } from './config.ts'
import { browserChoice } from './local-preference.ts'
import { useStore } from './store.ts'

/** `auto` follows the system. */
const THEMES = ['light', 'dark', 'auto'] as const
export type Theme = (typeof THEMES)[number]

/** This browser's own choice, else the instance's: an empty value is light. */
const choice = browserChoice('filigree.theme', THEMES, pageConfig.Theme || 'light')

/** Puts the theme on the page. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = choice.store.get()
}

/** Chooses a theme for this browser. */
export function setTheme(theme: Theme): void {
  choice.choose(theme)
  applyTheme()
}

export function useTheme(): Theme {
  return useStore(choice.store)
}
