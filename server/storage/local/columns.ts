import { type FilePath, trustedChild } from '../../../shared/path.ts'
import type { Entry } from '../driver.ts'
import { type Facts, identityIn } from './facts.ts'
import type { Confinement } from './handle.ts'

/** A folder to be read by a worker thread. Descriptors are shared by all threads of the process. */
export interface FolderToRead {
  at: string
  root: string
  level: Confinement
  followsOut: boolean
  /** Names to leave alone: of disks that do not answer. */
  silent: readonly string[]
}

/** A link that was followed, by its index in the batch. */
export interface FollowedLink {
  index: number
  /** `undefined` for what lies outside of the root, which counts as lying where the link is. */
  canonical: FilePath | undefined
}

/**
 * A batch of entries as it travels between threads: two long strings and one array of numbers cost a fraction of what
 * thousands of objects would. Names cannot hold NUL, versions are plain ASCII.
 */
export interface Columns {
  names: string
  versions: string
  /** `size, modified, mode, kind` of each entry. */
  numbers: Float64Array<ArrayBuffer>
  /** Links that were followed. Others have the kind `link`. */
  followed: FollowedLink[]
  last: boolean
}

/** What the main thread asks of a worker: the next batch of a folder, or to forget it. */
export type Ask = { id: number; folder?: FolderToRead; forget?: true }

/** What a worker answers to each `Ask` but a `forget`. */
export type Answer = { id: number; columns: Columns } | { id: number; errno: string }

export interface Row {
  name: string
  facts: Facts
  /** Only for links that were followed. */
  followed: Omit<FollowedLink, 'index'> | undefined
}

const KINDS = ['file', 'folder', 'link', 'special'] as const
const WIDTH = 4
const SEPARATOR = '\0'

export function toColumns(rows: readonly Row[], last: boolean): Columns {
  const numbers = new Float64Array(rows.length * WIDTH)
  const followed: FollowedLink[] = []
  for (const [index, { facts, followed: link }] of rows.entries()) {
    numbers.set([facts.size, facts.modified, facts.mode, KINDS.indexOf(facts.kind)], index * WIDTH)
    if (link) followed.push({ index, ...link })
  }
  return {
    names: rows.map(row => row.name).join(SEPARATOR),
    versions: rows.map(row => row.facts.version).join(SEPARATOR),
    numbers,
    followed,
    last,
  }
}

/** The entries of a batch, as children of a folder asked for as `path` that really is `canonical`. */
export function toEntries(columns: Columns, path: FilePath, canonical: FilePath): Entry[] {
  if (columns.numbers.length === 0) return []
  const { numbers } = columns
  const versions = columns.versions.split(SEPARATOR)
  const entries = columns.names.split(SEPARATOR).map((name, index): Entry => {
    const at = index * WIDTH
    const kind = KINDS[numbers[at + 3] ?? 0] ?? 'special'
    const entryPath = trustedChild(path, name)
    const version = versions[index] ?? ''
    return {
      name,
      path: entryPath,
      canonical: path === canonical ? entryPath : trustedChild(canonical, name),
      kind,
      isLink: kind === 'link',
      size: numbers[at] ?? 0,
      modified: numbers[at + 1] ?? 0,
      mode: numbers[at + 2] ?? 0,
      version,
      identity: identityIn(version),
    }
  })
  for (const link of columns.followed) {
    const entry = entries[link.index]
    if (entry) Object.assign(entry, { canonical: link.canonical ?? entry.canonical, isLink: true })
  }
  return entries
}
