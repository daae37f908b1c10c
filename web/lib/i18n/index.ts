import displacements from 'virtual:text-places'
import format from 'icu-minify/format'
import { shownName } from '../../../shared/bytes.ts'
import { LOCALES } from '../../../shared/locales.ts'
import { loadChunk } from '../lazy.ts'
import { createStore, useStore } from '../store.ts'
import { formatters } from './intl.ts'
import type { Messages } from './messages.gen.ts'
import { type Catalogue, type PackedCatalogue, unpack } from './packed.ts'
import { FALLBACK, PSEUDO, type ShownCode } from './pick.ts'
import { placeOf } from './place.ts'

export type { LocaleCode } from '../../../shared/locales.ts'

export type MessageKey = keyof Messages

/** The arguments a message wants: none, or an object. */
export type MessageArgs<K extends MessageKey> = keyof Messages[K] extends never ? [] : [args: Messages[K]]

interface ActiveLocale {
  code: ShownCode
  /** BCP 47 tag for `Intl`. */
  tag: string
  dir: 'ltr' | 'rtl'
  messages: Catalogue
}

const active = createStore<ActiveLocale>({ code: FALLBACK, tag: 'en', dir: 'ltr', messages: [] })

/** One lazy chunk per locale; `import.meta.glob` needs the literal pattern. */
const catalogues = import.meta.glob<{ default: PackedCatalogue }>('../../locales/*.json')
const pseudoCatalogue = () => import('virtual:pseudo-texts')

/**
 * The text of a key in the current locale; the key itself as long as there is no catalogue. Names in it stand there as
 * people see them.
 */
export function t<K extends MessageKey>(key: K, ...args: MessageArgs<K>): string {
  const { messages, tag } = active.get()
  const message = messages[placeOf(key, displacements, messages.length)]
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

let latest = 0

/** Switches to a locale when its catalogue is there; else keeps what is shown. Sets `lang` and `dir` of the page. */
export async function setLocale(code: ShownCode): Promise<void> {
  const locale = code === PSEUDO.code ? PSEUDO : LOCALES.find(entry => entry.code === code)
  const load = code === PSEUDO.code ? pseudoCatalogue : catalogues[`../../locales/${code}.json`]
  if (!locale || !load) return
  latest += 1
  const turn = latest
  const { default: packed } = await loadChunk(load)
  // Another one may have been chosen while this one was under way.
  if (turn !== latest) return
  const { tag, dir } = locale
  document.documentElement.lang = tag
  document.documentElement.dir = dir
  active.set({ code, tag, dir, messages: unpack(packed) })
}
