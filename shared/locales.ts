/**
 * The 21 locales of specification section 1 with the BCP 47 tag that `Intl` understands and the locale's own name.
 * `ready` ones have a catalogue in `web/locales`.
 */
export const LOCALES = [
  { code: 'ar', tag: 'ar', dir: 'rtl', name: 'العربية', ready: false },
  { code: 'de', tag: 'de', dir: 'ltr', name: 'Deutsch', ready: false },
  { code: 'en', tag: 'en', dir: 'ltr', name: 'English', ready: true },
  { code: 'es', tag: 'es', dir: 'ltr', name: 'Español', ready: false },
  { code: 'fr', tag: 'fr', dir: 'ltr', name: 'Français', ready: false },
  { code: 'is', tag: 'is', dir: 'ltr', name: 'Íslenska', ready: false },
  { code: 'it', tag: 'it', dir: 'ltr', name: 'Italiano', ready: false },
  { code: 'ja', tag: 'ja', dir: 'ltr', name: '日本語', ready: false },
  { code: 'ko', tag: 'ko', dir: 'ltr', name: '한국어', ready: false },
  { code: 'nl-be', tag: 'nl-BE', dir: 'ltr', name: 'Nederlands (België)', ready: false },
  { code: 'pl', tag: 'pl', dir: 'ltr', name: 'Polski', ready: false },
  { code: 'pt-br', tag: 'pt-BR', dir: 'ltr', name: 'Português (Brasil)', ready: false },
  { code: 'pt', tag: 'pt-PT', dir: 'ltr', name: 'Português', ready: false },
  { code: 'ro', tag: 'ro', dir: 'ltr', name: 'Română', ready: false },
  { code: 'ru', tag: 'ru', dir: 'ltr', name: 'Русский', ready: false },
  { code: 'sk', tag: 'sk', dir: 'ltr', name: 'Slovenčina', ready: false },
  { code: 'sv-se', tag: 'sv-SE', dir: 'ltr', name: 'Svenska', ready: false },
  { code: 'tr', tag: 'tr', dir: 'ltr', name: 'Türkçe', ready: false },
  { code: 'ua', tag: 'uk', dir: 'ltr', name: 'Українська', ready: false },
  { code: 'zh-cn', tag: 'zh-Hans-CN', dir: 'ltr', name: '简体中文', ready: false },
  { code: 'zh-tw', tag: 'zh-Hant-TW', dir: 'ltr', name: '繁體中文', ready: false },
] as const

export type LocaleCode = (typeof LOCALES)[number]['code']
