import format, { type CompiledMessage } from 'icu-minify/format'
import { shownName } from '../../../shared/bytes.ts'
import { LOCALES, type LocaleCode } from '../../../shared/locales.ts'
import { loadChunk } from '../lazy.ts'
import { createStore, useStore } from '../store.ts'
import { formatters } from './intl.ts'
import type { Messages } from './messages.gen.ts'

export type { LocaleCode } from '../../../shared/locales.ts'

export type MessageKey = keyof Messages

/** A catalogue as the build makes it of `web/locales/<code>.json`. */
export type Catalogue = Record<string, CompiledMessage>

/** The arguments a message wants: none, or an object. */
export type MessageArgs<K extends MessageKey> = keyof Messages[K] extends never ? [] : [args: Messages[K]]

interface ActiveLocale {
  code: LocaleCode
  /** BCP 47 tag for `Intl`. */
  tag: string
  dir: 'ltr' | 'rtl'
  messages: Catalogue
}

const FALLBACK: LocaleCode = 'en'
const active = createStore<ActiveLocale>({ code: FALLBACK, tag: 'en', dir: 'ltr', messages: {} })

/** One lazy chunk per locale; `import.meta.glob` needs the literal pattern. */
const catalogues = import.meta.glob<{ default: Catalogue }>('../../locales/*.json')

/**
 * The text of a key in the current locale; the key itself when the catalogue lacks it. Names in it stand there as
 * people see them.
 */
export function t<K extends MessageKey>(key: K, ...args: MessageArgs<K>): string {
  const { messages, tag } = active.get()
  const message = messages[key]
  if (message === undefined) return key
  return shownName(String(format(message, tag, args[0] as Record<string, string | number> | undefined, { formatters })))
}

/** The current locale; renders again when it changes. */
export function useLocale(): Pick<ActiveLocale, 'code' | 'tag' | 'dir'> {
  return useStore(active)
}

/** BCP 47 tag of the current locale. */
export function localeTag(): string {
  return active.get().tag
}

/** Switches to a locale when its catalogue is there; else keeps what is shown. Sets `lang` and `dir` of the page. */
export async function setLocale(code: LocaleCode): Promise<void> {
  const locale = LOCALES.find(entry => entry.code === code)
  const load = catalogues[`../../locales/${code}.json`]
  if (!locale || !load) return
  const { default: messages } = await loadChunk(load)
  active.set({ code, tag: locale.tag, dir: locale.dir, messages })
  document.documentElement.lang = locale.tag
  document.documentElement.dir = locale.dir
}

/**
 * The locale to show (specification section 1): the user's setting, else the first browser language we speak, else
 * English. Only locales with a catalogue are considered.
 */
export function pickLocale(userLocale: string, wanted: readonly string[] = navigator.languages): LocaleCode {
  const ready = LOCALES.filter(locale => locale.ready)
  const own = ready.find(locale => locale.code === userLocale.toLowerCase())
  if (own) return own.code
  for (const language of wanted) {
    const match = matchLanguage(language, ready)
    if (match) return match
  }
  return FALLBACK
}

/** The locale for a browser language: the same language, and among those the same script or region. */
export function matchLanguage(
  language: string,
  among: readonly (typeof LOCALES)[number][] = LOCALES,
): LocaleCode | undefined {
  const wanted = parseTag(language)
  if (!wanted) return undefined
  const candidates = among.filter(locale => parseTag(locale.tag)?.language === wanted.language)
  const closeness = (tag: string) => {
    const have = parseTag(tag)
    const sameRegion = have?.region === wanted.region
    return (have?.script === wanted.script ? 2 : 0) + (sameRegion ? 1 : 0)
  }
  return candidates.toSorted((a, b) => closeness(b.tag) - closeness(a.tag))[0]?.code
}

function parseTag(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}
