/**
 * Parts of the catalogue, by key prefix, that only settings, viewers and tools show. They form a chunk of their own in
 * each language, loaded with the first such part (`lazyTool`), so that the main chunk stays small.
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
export type ChunkName = 'everyday' | 'tools'

const tools: ReadonlySet<string> = new Set(TOOL_AREAS)

/** The chunk that holds the text of a key. */
export function chunkOf(key: string): ChunkName {
  return tools.has(key.slice(0, key.indexOf('.'))) ? 'tools' : 'everyday'
}
