import format from 'icu-minify/format'
import { shownName } from '../../../shared/bytes.ts'
import { LOCALES } from '../../../shared/locales.ts'
import type english from '../../locales/en.json'
import { loadChunk } from '../chunk.ts'
import { createStore, useStore } from '../store.ts'
import type { TextArguments } from './arguments.gen.ts'
import { type Catalogue, type ChunkName, textsOf } from './catalogues.ts'
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
  /** Whether `texts` includes those of tools. */
  hasTools: boolean
}

const active = createStore<ActiveLocale>({ code: FALLBACK, tag: 'en', dir: 'ltr', texts: {}, hasTools: false })

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
let wantsTools = false

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
  const hasTools = wantsTools
  const [everyday, tools] = await Promise.all([
    loadTexts(code, 'everyday'),
    hasTools ? loadTexts(code, 'tools') : {},
    loadChunk(() => loadFormats(tag)),
  ])
  // Another locale may have been set while this one was loading.
  if (request !== latest) return
  // The first tool may have been opened, too.
  if (wantsTools && !hasTools) return setLocale(code)
  document.documentElement.lang = tag
  document.documentElement.dir = dir
  active.set({ code, tag, dir, texts: { ...everyday, ...tools }, hasTools })
}

/** Loads the texts of tools, in the current locale and from now on with every other. @throws ChunkError */
export async function loadToolTexts(): Promise<void> {
  wantsTools = true
  while (!active.get().hasTools) {
    const { code } = active.get()
    const tools = await loadTexts(code, 'tools')
    const now = active.get()
    if (now.code === code) active.set({ ...now, texts: { ...now.texts, ...tools }, hasTools: true })
  }
}

async function loadTexts(code: ShownCode, name: ChunkName): Promise<Catalogue> {
  return (await loadChunk(textsOf(code, name))).default
}
