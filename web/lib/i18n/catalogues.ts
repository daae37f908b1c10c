import type { CompiledMessage } from 'icu-minify/format'
import { PSEUDO, type ShownCode } from './pick.ts'

/** Texts by key, compiled. */
export type Catalogue = Readonly<Record<string, CompiledMessage>>

/** The two chunks of a language: texts of tools (`web/tools/tool-areas.ts`), and the others. */
export type ChunkName = 'everyday' | 'tools'

export type LoadTexts = () => Promise<{ default: Catalogue }>

/** `import.meta.glob` needs the literal pattern. */
const catalogues: Record<ChunkName, Record<string, LoadTexts>> = {
  everyday: import.meta.glob<{ default: Catalogue }>('../../locales/*.json'),
  tools: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?tools' }),
}
const pseudoCatalogues: Record<ChunkName, LoadTexts> = {
  everyday: () => import('virtual:pseudo-texts'),
  tools: () => import('virtual:pseudo-texts?tools'),
}

/** The loader of a locale's texts. */
export function textsOf(code: ShownCode, name: ChunkName): LoadTexts {
  if (code === PSEUDO.code) return pseudoCatalogues[name]
  const suffix = name === 'tools' ? '?tools' : ''
  const load = catalogues[name][`../../locales/${code}.json${suffix}`] ?? catalogues[name][`../../locales/${code}.json`]
  if (!load) throw new Error(`no catalogue ${code}`)
  return load
}
