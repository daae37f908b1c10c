import { LOCALES, type LocaleCode } from '../../../shared/locales.ts'

/**
 * A pseudo-locale for tests: English with accents, longer, right-to-left. Selected like any language of the browser.
 */
export const PSEUDO = { code: 'pseudo', tag: 'ar-XB', dir: 'rtl' } as const

export type ShownCode = LocaleCode | typeof PSEUDO.code

export const FALLBACK: LocaleCode = 'en'

/**
 * The locale to show: the user's setting, else the first supported browser language, else English. A setting made by
 * another program may use another tag for its language (`uk`, `pt-PT`).
 */
export function pickLocale(userLocale: string, wanted: readonly string[] = navigator.languages): ShownCode {
  const own = userLocale.toLowerCase()
  const known = LOCALES.find(locale => locale.code === own)
  if (known) return known.code
  for (const language of own === '' ? wanted : [own, ...wanted]) {
    if (language === PSEUDO.tag) return PSEUDO.code
    const match = matchLanguage(language)
    if (match) return match
  }
  return FALLBACK
}

/** The locale for a browser language: the same language, and among those the same script or region. */
export function matchLanguage(language: string): LocaleCode | undefined {
  const wanted = parseTag(language)
  if (!wanted) return undefined
  const closeness = (have: Intl.Locale) =>
    (have.script === wanted.script ? 2 : 0) + (have.region === wanted.region ? 1 : 0)
  let best: { code: LocaleCode; closeness: number } | undefined
  for (const { code, tag } of LOCALES) {
    const have = parseTag(tag)
    if (have?.language !== wanted.language) continue
    if (best === undefined || closeness(have) >= best.closeness) best = { code, closeness: closeness(have) }
  }
  return best?.code
}

function parseTag(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}
