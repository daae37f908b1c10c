/**
 * Parts of the catalogue, by key prefix, that only settings, viewers and tools show. They form a chunk of their own in
 * each language, loaded with the first such part (`lazyTool`), so that the main chunk stays small.
 */
const TOOL_AREAS = [
  'audit',
  'diagnostics',
  'editor',
  'explainAccess',
  'permissions',
  'preview',
  'rules',
  'settings',
  'sizes',
  'terminal',
  'users',
] as const

const areas: ReadonlySet<string> = new Set(TOOL_AREAS)

/** Whether the text of a key is in the chunk for tools. */
export function isToolText(key: string): boolean {
  return areas.has(key.slice(0, key.indexOf('.')))
}
