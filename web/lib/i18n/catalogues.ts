import type { CompiledMessage } from 'icu-minify/format'
import { PSEUDO, type ShownCode } from './pick.ts'

/** Texts by key, compiled. */
export type Catalogue = Readonly<Record<string, CompiledMessage>>

export type LoadTexts = () => Promise<{ default: Catalogue }>

/** The chunks of a language besides the everyday texts (`web/tools/text-chunks.ts`). */
export type LaterChunk =
  | 'tools'
  | 'settings'
  | 'history'
  | 'people'
  | 'signIn'
  | 'links'
  | 'webhooks'
  | 'mail'
  | 'connect'
  | 'host'

/** `import.meta.glob` needs the literal pattern. */
const catalogues: Record<string, LoadTexts> = import.meta.glob<{ default: Catalogue }>('../../locales/*.json')

/** The loader of a locale's everyday texts. */
export function everydayTexts(code: ShownCode): LoadTexts {
  if (code === PSEUDO.code) return () => import('virtual:pseudo-texts')
  const load = catalogues[`../../locales/${code}.json`]
  if (!load) throw new Error(`no catalogue ${code}`)
  return load
}
