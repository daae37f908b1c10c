import type { Edge } from './imports.ts'

/**
 * The allowed imports between parts. A part is a file or a folder (with `/` at the end); the longest that matches a
 * file is its part. Every part may import itself, errors, limits and text detection (on the server) and `shared/`.
 * `type ` before a target permits only its types.
 */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  'server/cli/': ['server/'],
  'server/main.ts': ['server/config.ts', 'server/context.ts', 'server/http/', 'server/version.ts'],
  'server/context.ts': [
    'server/config.ts',
    'server/db/',
    'server/storage/',
    'server/search-index/',
    'server/archives/',
    'server/files/',
    'server/responses/',
    'server/features/',
    'server/jobs/',
    'server/cluster/',
    'server/sandbox/',
    'server/audit/',
    'server/history/',
    'server/integrity/',
    'server/outbound/',
    'server/version.ts',
  ],
  'server/http/': [
    'server/features/',
    'server/routing/',
    'server/config.ts',
    'type server/context.ts',
    'server/version.ts',
  ],
  'server/features/settings/': ['server/db/', 'server/cluster/', 'server/routing/', 'server/responses/'],
  'server/features/users/': ['server/features/settings/', 'server/db/', 'server/cluster/', 'server/routing/'],
  'server/features/groups/': [
    'server/features/settings/',
    'server/features/users/',
    'server/responses/',
    'server/db/',
    'server/cluster/',
    'server/routing/',
  ],
  'server/features/tokens/': [
    'server/features/settings/',
    'server/features/users/',
    'server/features/groups/',
    'server/files/',
    'server/db/',
    'server/cluster/',
    'server/routing/',
  ],
  'server/features/secrets/': ['server/features/settings/', 'server/db/'],
  'server/features/factors/': [
    'server/features/settings/',
    'server/features/secrets/',
    'server/features/users/',
    'server/db/',
    'type server/audit/',
    'server/routing/',
  ],
  'server/features/auth/': [
    'server/features/settings/',
    'server/features/users/',
    'server/features/groups/',
    'server/features/tokens/',
    'server/features/secrets/',
    'server/features/factors/',
    'server/db/',
    'server/outbound/',
    'server/jobs/',
    'server/cluster/',
    'server/sandbox/',
    'server/routing/',
  ],
  'server/features/identities/': [
    'server/features/settings/',
    'server/features/users/',
    'server/features/groups/',
    'server/features/auth/',
    'server/db/',
    'server/cluster/',
  ],
  'server/features/': [
    'server/features/settings/',
    'server/features/users/',
    'server/features/groups/',
    'server/features/tokens/',
    'server/features/auth/',
    'server/features/identities/',
    'server/responses/',
    'server/archives/',
    'server/checksums/',
    'server/file-types/',
    'server/files/',
    'server/db/',
    'server/jobs/',
    'server/cluster/',
    'server/sandbox/',
    'server/audit/',
    'type server/history/',
    'server/integrity/',
    'server/outbound/',
    'server/routing/',
  ],
  'server/responses/': ['server/archives/', 'server/file-types/', 'server/files/', 'server/routing/'],
  'server/archives/': ['server/files/'],
  'server/files/': [
    'type server/audit/audit.ts',
    'server/checksums/',
    'server/storage/driver.ts',
    'type server/search-index/search-index.ts',
    'server/cluster/',
    'type server/sandbox/',
  ],
  'server/search-index/': ['server/storage/', 'server/lib/'],
  'server/checksums/': [],
  'server/file-types/': [],
  'server/jobs/': ['server/db/', 'server/cluster/'],
  'server/audit/': ['server/db/'],
  'server/outbound/': ['server/db/'],
  'server/history/': [
    'server/db/',
    'type server/audit/',
    'type server/cluster/',
    'type server/files/',
    'type server/storage/driver.ts',
  ],
  'server/integrity/': [
    'server/db/',
    'server/checksums/',
    'server/history/ulid.ts',
    'server/files/change-records.ts',
    'type server/cluster/',
    'type server/files/',
    'type server/storage/driver.ts',
  ],
  'server/db/': [],
  'server/cluster/': ['server/db/connection.ts', 'server/db/postgres.ts'],
  'server/storage/': [],
  'server/sandbox/': [],
  'server/config.ts': ['server/config/', 'server/db/address.ts', 'server/storage/open-storage.ts'],
  'server/config/': [],
  'server/errors.ts': [],
  'server/lib/': [],
  'server/mail-limits.ts': [],
  'server/office-limits.ts': [],
  'server/link-limits.ts': [],
  'server/document-limits.ts': [],
  'server/limits.ts': [
    'server/document-limits.ts',
    'server/link-limits.ts',
    'server/mail-limits.ts',
    'server/office-limits.ts',
    'server/sign-in-limits.ts',
  ],
  'server/sign-in-limits.ts': [],
  'server/routing/': ['server/files/change-records.ts', 'type server/files/policy.ts'],
  'server/worker-memory.ts': [],
  'server/version.ts': [],
  'shared/': [],
  'web/vite.config.ts': ['web/tools/'],
  'web/tools/': ['web/ui/icon.tsx'],
  'web/app/': ['web/features/', 'web/ui/', 'web/lib/'],
  'web/features/files/': ['web/ui/', 'web/lib/'],
  // The editor of a user is a settings form.
  'web/features/users/': ['web/features/settings/', 'web/features/files/', 'web/ui/', 'web/lib/'],
  'web/features/': ['web/features/files/', 'web/ui/', 'web/lib/'],
  'web/ui/': ['web/lib/'],
  'web/lib/': [],
  // Runs outside every page.
  'web/service-worker/': [],
}

/** The only importers of each of these modules. */
export const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  'node:fs': [
    'server/storage/',
    'server/db/',
    'server/cli/',
    // Detects the sandbox programs, and the processes in a sandbox.
    'server/sandbox/',
    // Reads folders as the server's own account, not as a user.
    'server/features/diagnostics/host.ts',
    'server/search-index/',
    // For a process that receives an open file, without paths.
    'server/features/previews/file-from-descriptor.ts',
    'server/http/static-files.ts',
    'server/http/static.ts',
    'server/http/log-file.ts',
    // Reads the unacknowledged bytes of a response.
    'server/http/slow-clients.ts',
    'server/config/file.ts',
    'server/context.ts',
    'server/version.ts',
    'web/tools/',
    'web/vite.config.ts',
  ],
  'node:path': [
    'server/storage/',
    'server/search-index/index-thread.ts',
    'server/files/',
    'server/db/',
    'server/cli/',
    'server/http/',
    'server/config.ts',
    'server/config/file.ts',
    'server/context.ts',
    'web/tools/',
    'web/vite.config.ts',
  ],
  // A module of wrong arguments ends the process: one file binds it, and one checks what it is given.
  'node:ffi': ['server/storage/local/kernel/native.ts'],
  'node:sqlite': ['server/db/', 'server/search-index/sqlite/'],
  pg: ['server/db/', 'server/cluster/', 'server/search-index/postgres/'],
}

/**
 * What calls other servers by HTTP: requests leave through `server/outbound/`, but for the store and commands of the console.
 */
export const HTTP_CLIENTS = ['server/outbound/', 'server/storage/s3/client.ts', 'server/cli/']

/** The only file that reads environment variables. */
export const ENVIRONMENT_READER = 'server/config.ts'

/**
 * The storage contract, the registry of drivers, which selects one by URL, and what crawlers of a root need; everything
 * else in their folder is a driver or belongs to one.
 */
export const STORAGE = {
  folder: 'server/storage/',
  contract: 'server/storage/driver.ts',
  registry: 'server/storage/open-storage.ts',
  crawlers: [
    'server/storage/crawlable.ts',
    'server/storage/found-names.ts',
    'server/storage/hit-batches.ts',
    'server/storage/local/sync-read.ts',
    'server/storage/local/watcher.ts',
  ],
  user: 'server/context.ts',
}

/**
 * Identifies the bucket driver, which no other code may ask for. A storage's capabilities are in the contract, and
 * `roots.ts` has its options; the settings only have its name in their texts.
 */
export const BUCKETS = {
  word: /\bs3\b|\bis(?:Bucket|S3)\b/i,
  places: ['server/storage/s3/', 'server/storage/s3.ts', STORAGE.registry, 'server/config/host-only-settings.ts'],
}

/** Where unchecked system calls are known, and the name of the module that makes them. */
export const UNCHECKED = { module: 'node:ffi', place: 'server/storage/local/kernel/native.ts' }

export const LONGEST_FILE = 400

/**
 * Tests, their helpers (`test-….ts`) and conformance suites may import what they test; only cycles are refused there.
 */
const EXEMPT = /(?:\.test\.tsx?|\/conformance(?:\.ts|\/.*)|\/test-[^/]+\.tsx?)$/

export const isExempt = (path: string): boolean => EXEMPT.test(path)

/** Whether a file is the part, or lies in it. */
export const isIn = (path: string, part: string): boolean =>
  part.endsWith('/') ? path.startsWith(part) : path === part

/** The part of a file: the longest match, `undefined` if there is none. */
export function partOf(path: string): string | undefined {
  const parts = Object.keys(ARROWS).filter(part => isIn(path, part))
  return parts.sort((a, b) => b.length - a.length)[0]
}

/** What a file may import freely: its part, or in a folder of features its own feature. */
export function ownFolder(path: string): string {
  const noun = /^(?:server|web)\/features\/[^/]+\//.exec(path)
  return noun ? noun[0] : (partOf(path) ?? path)
}

/** What every part of the server may import. */
const EVERYWHERE: readonly string[] = [
  'server/errors.ts',
  'server/limits.ts',
  'server/file-types/text-detection.ts',
  'server/lib/',
  'server/worker-memory.ts',
]

/** Whether an import is one of the targets, or one that every part may import. */
export function isAllowed(edge: Edge, targets: readonly string[]): boolean {
  if (isIn(edge.to, ownFolder(edge.from)) || isIn(edge.to, 'shared/')) return true
  if (edge.from.startsWith('server/') && EVERYWHERE.some(part => isIn(edge.to, part))) return true
  return targets.some(target =>
    target.startsWith('type ') ? edge.typeOnly && isIn(edge.to, target.slice('type '.length)) : isIn(edge.to, target),
  )
}
