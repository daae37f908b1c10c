import { type FilePath, nameOf, trustedChild } from '../../shared/path.ts'
import type { Entry } from './entry.ts'
import type { PathGuard } from './guard.ts'

/**
 * An entry that a search found; or `unread`: a folder whose content is unknown because it could not be read. `disk`:
 * allocated bytes of a file, if known. `modified`: milliseconds since the epoch, if known.
 */
export type FoundEntry = Pick<Entry, 'name' | 'path' | 'canonical' | 'isLink' | 'size'> & {
  kind: Entry['kind'] | 'unread'
  disk?: number
  modified?: number
}

/** Matching entries, and the number of entries scanned since the search began. */
export interface NamesMet {
  met: number
  entries: FoundEntry[]
}

/** What a search knows of a name in a folder. */
export interface Known {
  fact: number
  /** Allocated bytes of a file, divided among its hard links. */
  disk: number
}

export interface Item extends Known {
  name: string
}

/** A hit: its path relative to the queried folder, without a leading slash. */
export interface Hit extends Known {
  path: string
}

/**
 * A fact is a file's size in bytes, or one of these. What a link is depends on the viewer's scope. `unread` is for
 * folders that could not be read.
 */
export const FACTS = { folder: -1, link: -2, special: -3, unread: -4 } as const

const KINDS = new Map<number, FoundEntry['kind']>([
  [FACTS.folder, 'folder'],
  [FACTS.special, 'special'],
  [FACTS.unread, 'unread'],
])

/** Hits relative to the queried folder, in walk order, in the form that is sent between threads. */
export interface HitBatch {
  /** Separated by NUL, which no path contains. */
  paths: string
  /** One for each path; see `FACTS`. */
  facts: Float64Array<ArrayBuffer>
  /** One for each path; see `Known`. */
  disks: Float64Array<ArrayBuffer>
  last: boolean
}

/** A queried folder, from the store's point of view. */
export interface QueriedFolder {
  path: FilePath
  canonical: FilePath
  guard?: PathGuard | undefined
  /** Resolves a link; only where there are links. */
  linkAt?(path: FilePath): Promise<FoundEntry | undefined>
}

/** Hits as entries of a store, filtered by the guard. */
export async function* entriesIn(
  batches: AsyncIterable<HitBatch>,
  folder: QueriedFolder,
): AsyncGenerator<FoundEntry[]> {
  for await (const { paths, facts, disks } of batches) {
    const entries: FoundEntry[] = []
    for (const [index, below] of (facts.length > 0 ? paths.split('\0') : []).entries()) {
      const hit = { path: below, fact: facts[index] ?? 0, disk: disks[index] ?? 0 }
      const canonical = pathOf(folder.canonical, below)
      if (folder.guard && !folder.guard(canonical)) continue
      const path = pathOf(folder.path, below)
      const entry = hit.fact === FACTS.link ? await folder.linkAt?.(path) : entryOf(path, canonical, hit)
      if (entry) entries.push(entry)
    }
    yield entries
  }
}

const pathOf = (folder: FilePath, below: string) => (below === '' ? folder : trustedChild(folder, below))

function entryOf(path: FilePath, canonical: FilePath, { fact, disk }: Known): FoundEntry {
  const kind = KINDS.get(fact) ?? 'file'
  return { name: nameOf(path), path, canonical, kind, isLink: false, size: Math.max(0, fact), disk }
}

/**
 * Folds case such that substring search works: if one text contains another, so do their foldings. The final sigma is
 * the only letter whose lower case depends on context.
 */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** Characters that no name contains. */
const IN_NO_NAME = /[/\0]/

/** Search words in their folded form; without those that no name can contain. */
export const partsOf = (words: readonly string[]): string[] =>
  words.map(foldText).filter(word => !IN_NO_NAME.test(word))
