/**
 * The 21 locales with the BCP 47 tag for `Intl` and the locale's own name. Each has a catalogue,
 * `web/locales/<code>.json`.
 */
export const LOCALES = [
  { code: 'ar', tag: 'ar', dir: 'rtl', name: 'العربية' },
  { code: 'de', tag: 'de', dir: 'ltr', name: 'Deutsch' },
  { code: 'en', tag: 'en', dir: 'ltr', name: 'English' },
  { code: 'es', tag: 'es', dir: 'ltr', name: 'Español' },
  { code: 'fr', tag: 'fr', dir: 'ltr', name: 'Français' },
  { code: 'is', tag: 'is', dir: 'ltr', name: 'Íslenska' },
  { code: 'it', tag: 'it', dir: 'ltr', name: 'Italiano' },
  { code: 'ja', tag: 'ja', dir: 'ltr', name: '日本語' },
  { code: 'ko', tag: 'ko', dir: 'ltr', name: '한국어' },
  { code: 'nl-be', tag: 'nl-BE', dir: 'ltr', name: 'Nederlands (België)' },
  { code: 'pl', tag: 'pl', dir: 'ltr', name: 'Polski' },
  { code: 'pt-br', tag: 'pt-BR', dir: 'ltr', name: 'Português (Brasil)' },
  { code: 'pt', tag: 'pt-PT', dir: 'ltr', name: 'Português' },
  { code: 'ro', tag: 'ro', dir: 'ltr', name: 'Română' },
  { code: 'ru', tag: 'ru', dir: 'ltr', name: 'Русский' },
  { code: 'sk', tag: 'sk', dir: 'ltr', name: 'Slovenčina' },
  { code: 'sv-se', tag: 'sv-SE', dir: 'ltr', name: 'Svenska' },
  { code: 'tr', tag: 'tr', dir: 'ltr', name: 'Türkçe' },
  { code: 'ua', tag: 'uk', dir: 'ltr', name: 'Українська' },
  { code: 'zh-cn', tag: 'zh-Hans-CN', dir: 'ltr', name: '简体中文' },
  { code: 'zh-tw', tag: 'zh-Hant-TW', dir: 'ltr', name: '繁體中文' },
] as const

export type LocaleCode = (typeof LOCALES)[number]['code']
