/**
 * Parts of the catalogue, by key prefix, that the first page does not show. Each list forms a chunk of its own in each
 * language, loaded with the first part that needs it, so that the chunk of everyday texts stays small.
 */
const AREAS = {
  tools: [
    'apps',
    'branding',
    'checksums',
    'columns',
    'editor',
    'installed',
    'keys',
    'music',
    'panes',
    'preview',
    'readme',
    'received',
    'schedule',
    'sizes',
    'terminal',
  ],
  settings: ['audit', 'explainAccess', 'integrity', 'permissions', 'rules', 'settings', 'tokens', 'users'],
  history: [
    'changes',
    'found',
    'history',
    'locks',
    'marks',
    'remarks',
    'renameMany',
    'snapshots',
    'tags',
    'trash',
    'versions',
  ],
  people: ['accounts', 'groups', 'mounts', 'quota'],
  signIn: ['devices', 'factorDuty', 'factors', 'passkeys', 'signIn', 'strength'],
  links: ['grants', 'links'],
  webhooks: ['webhooks'],
  mail: ['mail'],
  connect: ['connect'],
  host: ['diagnostics'],
} as const

/** A chunk of texts besides the everyday ones. */
export type LaterChunk = keyof typeof AREAS

/** The functions of `web/lib/lazy.ts` and `people.ts` that load a part along with a chunk of texts. */
export const LOADERS: Readonly<Record<LaterChunk, readonly string[]>> = {
  tools: ['lazyTool', 'lazySettings', 'lazyWebhooks', 'lazyConnect', 'lazyHost', 'loadPeople'],
  settings: ['lazySettings', 'loadSettings', 'lazyWebhooks', 'lazyConnect', 'lazyHost', 'loadPeople'],
  history: ['lazyHistory', 'loadHistory'],
  people: ['loadPeople'],
  signIn: ['lazySignIn'],
  links: ['lazyLinks'],
  webhooks: ['lazyWebhooks'],
  mail: ['lazyMail'],
  connect: ['lazyConnect'],
  host: ['lazyHost'],
}

export const LATER_CHUNKS = Object.keys(AREAS) as LaterChunk[]

const chunks: ReadonlyMap<string, LaterChunk> = new Map(
  LATER_CHUNKS.flatMap(chunk => AREAS[chunk].map(area => [area, chunk] as const)),
)

/** The chunk of a key's text; none for an everyday one. */
export function chunkOf(key: string): LaterChunk | undefined {
  return chunks.get(key.slice(0, key.indexOf('.')))
}
