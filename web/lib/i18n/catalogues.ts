import type { ChunkName } from './chunks.ts'
import type { PackedCatalogue } from './packed.ts'
import { PSEUDO, type ShownCode } from './pick.ts'

export type LoadTexts = () => Promise<{ default: PackedCatalogue }>

/** Two lazy chunks per locale; `import.meta.glob` needs the literal pattern. */
const catalogues: Record<ChunkName, Record<string, LoadTexts>> = {
  everyday: import.meta.glob<{ default: PackedCatalogue }>('../../locales/*.json'),
  tools: import.meta.glob<{ default: PackedCatalogue }>('../../locales/*.json', { query: '?tools' }),
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
