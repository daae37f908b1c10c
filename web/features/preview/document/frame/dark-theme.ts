import type { Theme } from '../../../../lib/theme.ts'

/** Rules for the dark theme, wrapped in a media query if the theme follows the system. */
export function darkRules(theme: Theme, rules: string): string {
  if (theme === 'dark') return rules
  return theme === 'auto' ? `@media (prefers-color-scheme: dark) { ${rules} }` : ''
}
