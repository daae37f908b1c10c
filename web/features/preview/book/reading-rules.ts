import type { Theme } from '../../../lib/theme.ts'
import { darkRules } from '../document/paper/dark-theme.ts'

const LIGHT = 'background: #fff !important; color: #1d1f26;'
const DARK = 'background: #16191f !important; color: #e8e6e1;'

/** In the dark theme the text colour is ours: a book's colours assume white paper. */
const DARK_INK = 'main * { background: none !important; color: inherit !important; } a { color: #7fc4cf !important; }'

/** The application's styles for a book, which override its own. */
export function readingRules(theme: Theme): string {
  const dark = `:root { color-scheme: dark; ${DARK} } ${DARK_INK}`
  return `
:root { color-scheme: light; ${LIGHT} font: 17px/1.6 "Iowan Old Style", "Palatino Linotype", Georgia, "Noto Serif", serif; }
body { margin: 0; }
main { max-inline-size: 38rem; margin-inline: auto; padding: 32px 24px 64px; overflow-wrap: anywhere; }
section + section { margin-block-start: 64px; }
img { max-inline-size: 100%; block-size: auto; }
pre { overflow-x: auto; }
table { border-collapse: collapse; }
${darkRules(theme, dark)}
`
}
