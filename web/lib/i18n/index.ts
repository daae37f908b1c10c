import format from 'icu-minify/format'
import { shownName } from '../../../shared/bytes.ts'
import { LOCALES } from '../../../shared/locales.ts'
import type english from '../../locales/en.json'
import { loadChunk } from '../chunk.ts'
import { createStore, useStore } from '../store.ts'
import type { TextArguments } from './arguments.gen.ts'
import { type Catalogue, everydayTexts, type LaterChunk, type LoadTexts } from './catalogues.ts'
import { formatters, loadFormats } from './intl.ts'
import { isolated } from './isolate.ts'
import { FALLBACK, PSEUDO, type ShownCode } from './pick.ts'

export type { LocaleCode } from '../../../shared/locales.ts'

export type MessageKey = keyof typeof english

/** The arguments of a message: none, or an object. */
export type MessageArgs<K extends MessageKey> = K extends keyof TextArguments ? [args: TextArguments[K]] : []

interface ActiveLocale {
  code: ShownCode
  /** BCP 47 tag for `Intl`. */
  tag: string
  dir: 'ltr' | 'rtl'
  texts: Catalogue
  /** The chunks in `texts` besides the everyday one. */
  later: readonly LaterChunk[]
}

const active = createStore<ActiveLocale>({ code: FALLBACK, tag: 'en', dir: 'ltr', texts: {}, later: [] })

/**
 * The text of a key in the current locale; the key itself while no catalogue is loaded. Names in arguments are isolated
 * where text directions mix.
 */
export function t<K extends MessageKey>(key: K, ...args: MessageArgs<K>): string {
  const { tag, dir, texts } = active.get()
  const message = texts[key]
  if (message === undefined) return key
  const values = Object.entries((args[0] ?? {}) as Record<string, string | number>).map(([argument, value]) => [
    argument,
    typeof value === 'string' ? isolated(shownName(value), dir) : value,
  ])
  return String(format(message, tag, Object.fromEntries(values), { formatters }))
}

/** The current locale; re-renders when it changes. */
export function useLocale(): Pick<ActiveLocale, 'code' | 'tag' | 'dir'> {
  return useStore(active)
}

/** BCP 47 tag of the current locale. */
export function localeTag(): string {
  return active.get().tag
}

let latest = 0
let wanted: readonly LaterChunk[] = []

/**
 * Switches to a locale once its texts have loaded; keeps the current one if they fail to. Sets `lang` and `dir` of the
 * page.
 */
export async function setLocale(code: ShownCode): Promise<void> {
  const locale = code === PSEUDO.code ? PSEUDO : LOCALES.find(entry => entry.code === code)
  if (!locale) return
  latest += 1
  const request = latest
  const { tag, dir } = locale
  const later = wanted
  const [everyday, ...others] = await Promise.all([
    loadTexts(everydayTexts(code)),
    ...later.map(name => loadTexts(laterTexts(code, name))),
    loadChunk(() => loadFormats(tag)).then(() => ({})),
  ])
  // Another locale may have been set while this one was loading.
  if (request !== latest) return
  // A part with other texts may have been opened, too.
  if (wanted !== later) return setLocale(code)
  document.documentElement.lang = tag
  document.documentElement.dir = dir
  active.set({ code, tag, dir, texts: Object.assign({}, everyday, ...others), later })
}

/** Loads a chunk of texts, in the current locale and from now on with every other. @throws ChunkError */
export async function loadLaterTexts(name: LaterChunk): Promise<void> {
  if (!wanted.includes(name)) wanted = [...wanted, name]
  while (!active.get().later.includes(name)) {
    const { code } = active.get()
    const added = await loadTexts(laterTexts(code, name))
    const now = active.get()
    if (now.code !== code || now.later.includes(name)) continue
    active.set({ ...now, texts: { ...now.texts, ...added }, later: [...now.later, name] })
  }
}

const laterTexts =
  (code: ShownCode, name: LaterChunk): LoadTexts =>
  async () =>
    (await import('./later-catalogues.ts')).loadTexts(code, name)

async function loadTexts(load: LoadTexts): Promise<Catalogue> {
  return (await loadChunk(load)).default
}
