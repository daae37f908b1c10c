import type { ClientConfig } from 'pg'
import type { ContentState, TextMatch } from '../../shared/api/search.ts'
import type { FilePath } from '../../shared/path.ts'
import type { HitBatch, KnownSizes, SizesWanted } from '../storage/driver.ts'

/**
 * The index of the names, sizes and texts in the served root. Paths are canonical and relative to that root; users,
 * rules and links are the caller's business. Results never contain more than a listing of all folders would, but may
 * lag behind unreported changes.
 */
export interface SearchIndex {
  /**
   * Everything below a folder in batches, in walk order: at least the entries whose name contains one of the words,
   * ignoring case; all of them without words. Folders that could not be read come last.
   * @returns `undefined` while the folder is not indexed
   */
  find(folder: FilePath, words: readonly string[]): Promise<AsyncIterable<HitBatch> | undefined>
  /**
   * Files below a folder that contain all texts now, of those that were indexed; the first search starts the indexing.
   * Only where texts can be indexed.
   */
  findTexts?(folder: FilePath, wanted: WantedTexts): Promise<FoundTexts>
  /**
   * The totals of a folder and of its largest entries.
   * @returns `undefined` where they are not kept: while the index does not run, and behind links
   */
  sizes(folder: FilePath, wanted: SizesWanted): Promise<KnownSizes | undefined>
  /** Starts building the index; idempotent. */
  want(): Promise<void>
  /** Something changed at a path, or below it. */
  changed(path: FilePath): Promise<void>
  /** A folder was listed. @param read returns its content, see `FACTS`; called only if the index can use it */
  listed(folder: FilePath, read: () => ReadonlyMap<string, number>): Promise<void>
  /** Saves the work done. */
  close(): Promise<void>
}

/** Search texts; in lower case unless case-sensitive. */
export interface WantedTexts {
  texts: readonly string[]
  caseSensitive: boolean
}

export interface FoundTexts {
  state: ContentState
  /** Files that may contain the texts. */
  found: AsyncIterable<HitBatch>
  /** Reads files, and returns the match in each; `undefined` for one that does not contain all texts. */
  match(files: readonly FilePath[]): Promise<readonly (TextMatch | undefined)[]>
}

/** How a host keeps its index. */
export interface IndexSettings {
  /** The file of the index. */
  file: string
  /** The database in which servers that share a storage share its index, if any. */
  database?: ClientConfig | undefined
  /** Whether to use the system's change notifications where supported. */
  watches: boolean
  /** Milliseconds after which a search triggers a scan. */
  scanEvery: number
  /** When texts are indexed, where supported: on the first search, from the start, or never. */
  texts: 'auto' | 'always' | 'off'
  /** Limit for the total size of indexed texts, in bytes. */
  textsLimit: number
}

/** Events for the host's log. */
export type IndexEvent =
  | { event: 'complete'; folders: number; milliseconds: number; unwatched: number }
  | { event: 'contents complete'; files: number; bytes: number; milliseconds: number; isLimited: boolean }
  | { event: 'thrown away' | 'out of reach' | 'kept in a file' | 'stopped'; reason: string }

/** Writes an event of the index to the log. */
export function logIndex(
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void },
  { event, ...facts }: IndexEvent,
): void {
  if (event === 'complete') log.info(facts, 'the index of names is complete')
  else if (event === 'contents complete') log.info(facts, 'the index of contents is complete')
  else log.warn(facts, `the index of names was ${event}`)
}
