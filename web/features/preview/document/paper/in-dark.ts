import type { Theme } from '../../../../lib/theme.ts'

/** Rules for the dark set of colours, as far as that is or may be the one in use. */
export function inDark(theme: Theme, rules: string): string {
  if (theme === 'dark') return rules
  return theme === 'auto' ? `@media (prefers-color-scheme: dark) { ${rules} }` : ''
}
