/**
 * Parts of the catalogue, by the beginning of their keys, that only settings, viewers and tools show. They are a chunk of
 * their own in each language, which comes with the first such part (`lazyTool`), so that the texts of every day stay small.
 */
export const TOOL_AREAS = [
  'audit',
  'doctor',
  'editor',
  'permissions',
  'preview',
  'rules',
  'settings',
  'sizes',
  'terminal',
  'users',
  'why',
] as const

/** The two chunks of a language. */
export type CatalogueName = 'everyday' | 'tools'

const tools: ReadonlySet<string> = new Set(TOOL_AREAS)

/** The chunk that holds the text of a key. */
export function catalogueOf(key: string): CatalogueName {
  return tools.has(key.slice(0, key.indexOf('.'))) ? 'tools' : 'everyday'
}
