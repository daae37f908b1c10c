import type { Catalogue, LaterChunk, LoadTexts } from './catalogues.ts'
import { PSEUDO, type ShownCode } from './pick.ts'

/** `import.meta.glob` needs the literal pattern. */
const catalogues: Record<LaterChunk, Record<string, LoadTexts>> = {
  tools: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?tools' }),
  settings: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?settings' }),
  history: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?history' }),
  people: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?people' }),
  signIn: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?signIn' }),
  links: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?links' }),
  webhooks: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?webhooks' }),
  mail: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?mail' }),
  connect: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?connect' }),
  host: import.meta.glob<{ default: Catalogue }>('../../locales/*.json', { query: '?host' }),
}
const pseudoCatalogues: Record<LaterChunk, LoadTexts> = {
  tools: () => import('virtual:pseudo-texts?tools'),
  settings: () => import('virtual:pseudo-texts?settings'),
  history: () => import('virtual:pseudo-texts?history'),
  people: () => import('virtual:pseudo-texts?people'),
  signIn: () => import('virtual:pseudo-texts?signIn'),
  links: () => import('virtual:pseudo-texts?links'),
  webhooks: () => import('virtual:pseudo-texts?webhooks'),
  mail: () => import('virtual:pseudo-texts?mail'),
  connect: () => import('virtual:pseudo-texts?connect'),
  host: () => import('virtual:pseudo-texts?host'),
}

/** Loads a later chunk of a locale's texts. */
export function loadTexts(code: ShownCode, name: LaterChunk): ReturnType<LoadTexts> {
  if (code === PSEUDO.code) return pseudoCatalogues[name]()
  const path = `../../locales/${code}.json`
  const load = catalogues[name][`${path}?${name}`] ?? catalogues[name][path]
  if (!load) throw new Error(`no catalogue ${code}`)
  return load()
}
