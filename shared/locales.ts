/**
 * The 21 locales with the BCP 47 tag for `Intl`. Each has a catalogue, `web/locales/<code>.json`.
 */
export const LOCALES = [
  { code: 'ar', tag: 'ar', dir: 'rtl' },
  { code: 'de', tag: 'de', dir: 'ltr' },
  { code: 'en', tag: 'en', dir: 'ltr' },
  { code: 'es', tag: 'es', dir: 'ltr' },
  { code: 'fr', tag: 'fr', dir: 'ltr' },
  { code: 'is', tag: 'is', dir: 'ltr' },
  { code: 'it', tag: 'it', dir: 'ltr' },
  { code: 'ja', tag: 'ja', dir: 'ltr' },
  { code: 'ko', tag: 'ko', dir: 'ltr' },
  { code: 'nl-be', tag: 'nl-BE', dir: 'ltr' },
  { code: 'pl', tag: 'pl', dir: 'ltr' },
  { code: 'pt-br', tag: 'pt-BR', dir: 'ltr' },
  { code: 'pt', tag: 'pt-PT', dir: 'ltr' },
  { code: 'ro', tag: 'ro', dir: 'ltr' },
  { code: 'ru', tag: 'ru', dir: 'ltr' },
  { code: 'sk', tag: 'sk', dir: 'ltr' },
  { code: 'sv-se', tag: 'sv-SE', dir: 'ltr' },
  { code: 'tr', tag: 'tr', dir: 'ltr' },
  { code: 'ua', tag: 'uk', dir: 'ltr' },
  { code: 'zh-cn', tag: 'zh-Hans-CN', dir: 'ltr' },
  { code: 'zh-tw', tag: 'zh-Hant-TW', dir: 'ltr' },
] as const

export type LocaleCode = (typeof LOCALES)[number]['code']
