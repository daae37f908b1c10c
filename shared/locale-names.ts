import type { LocaleCode } from './locales.ts'

/** Each locale's own name. Apart from `LOCALES`, which every first load has. */
export const LOCALE_NAMES: Readonly<Record<LocaleCode, string>> = {
  ar: 'العربية',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  is: 'Íslenska',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  'nl-be': 'Nederlands (België)',
  pl: 'Polski',
  'pt-br': 'Português (Brasil)',
  pt: 'Português',
  ro: 'Română',
  ru: 'Русский',
  sk: 'Slovenčina',
  'sv-se': 'Svenska',
  tr: 'Türkçe',
  ua: 'Українська',
  'zh-cn': '简体中文',
  'zh-tw': '繁體中文',
}
