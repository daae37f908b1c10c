import { LOCALES, type LocaleCode } from '../../../shared/locales.ts'
import type english from './texts/en.json'

/** The texts of mails in one language; `{name}` stands for a value. */
export type MailTexts = Record<keyof typeof english, string>

const LOAD: Readonly<Record<LocaleCode, () => Promise<{ default: MailTexts }>>> = {
  ar: () => import('./texts/ar.json', { with: { type: 'json' } }),
  de: () => import('./texts/de.json', { with: { type: 'json' } }),
  en: () => import('./texts/en.json', { with: { type: 'json' } }),
  es: () => import('./texts/es.json', { with: { type: 'json' } }),
  fr: () => import('./texts/fr.json', { with: { type: 'json' } }),
  is: () => import('./texts/is.json', { with: { type: 'json' } }),
  it: () => import('./texts/it.json', { with: { type: 'json' } }),
  ja: () => import('./texts/ja.json', { with: { type: 'json' } }),
  ko: () => import('./texts/ko.json', { with: { type: 'json' } }),
  'nl-be': () => import('./texts/nl-be.json', { with: { type: 'json' } }),
  pl: () => import('./texts/pl.json', { with: { type: 'json' } }),
  'pt-br': () => import('./texts/pt-br.json', { with: { type: 'json' } }),
  pt: () => import('./texts/pt.json', { with: { type: 'json' } }),
  ro: () => import('./texts/ro.json', { with: { type: 'json' } }),
  ru: () => import('./texts/ru.json', { with: { type: 'json' } }),
  sk: () => import('./texts/sk.json', { with: { type: 'json' } }),
  'sv-se': () => import('./texts/sv-se.json', { with: { type: 'json' } }),
  tr: () => import('./texts/tr.json', { with: { type: 'json' } }),
  ua: () => import('./texts/ua.json', { with: { type: 'json' } }),
  'zh-cn': () => import('./texts/zh-cn.json', { with: { type: 'json' } }),
  'zh-tw': () => import('./texts/zh-tw.json', { with: { type: 'json' } }),
}

/** A language of mails. */
export type MailLanguage = (typeof LOCALES)[number]

const ENGLISH = LOCALES.find(({ code }) => code === 'en') ?? LOCALES[0]

/** The language with a code; English for any other. */
export const languageOf = (code: string): MailLanguage => LOCALES.find(known => known.code === code) ?? ENGLISH

export const loadTexts = async ({ code }: MailLanguage): Promise<MailTexts> => (await LOAD[code]()).default

/** The first language that a browser asks for and mails have; `''` for none. @param header `Accept-Language` */
export function languageIn(header: string | undefined): string {
  for (const part of (header ?? '').slice(0, 200).split(',')) {
    const tag = (part.split(';')[0] ?? '').trim().toLowerCase()
    const whole = LOCALES.find(known => known.tag.toLowerCase() === tag || known.code === tag)
    const [primary = ''] = tag.split('-')
    const found = whole ?? LOCALES.find(known => primary !== '' && known.tag.toLowerCase().split('-')[0] === primary)
    if (found) return found.code
  }
  return ''
}
