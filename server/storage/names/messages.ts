import type { Worker } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import type { ContentState, TextMatch } from '../../../shared/api/search.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { KnownSizes, WantedTexts } from '../driver.ts'

/** How a host keeps a name index. */
export interface NamesSettings {
  /** The file of the index. */
  file: string
  /** The database in which servers that share a storage share its index, if any. */
  database?: ClientConfig | undefined
  /** Whether to use the system's change notifications where supported. */
  watches: boolean
  /** Milliseconds after which a search triggers a full check. */
  lookEvery: number
  /** When texts are indexed, where supported: on the first search, from the start, or never. */
  texts: 'auto' | 'always' | 'off'
  /** Limit for the total size of indexed texts, in bytes. */
  textsLimit: number
}

/** Start-up data of the index thread. */
export interface NamesSetup extends NamesSettings {
  /** See `IndexedPlace`. */
  root: string
}

/** What a driver supplies for an index of its names. */
export interface IndexedPlace {
  /** Identifies the place: the real path of a folder, or the address of a store. */
  root: string
  /** Whether its texts can be indexed. */
  hasTexts: boolean
  /** Starts the index thread. */
  start(setup: NamesSetup): Worker
}

/** The content of a folder by name; see `FACTS`. */
export type ListedFacts = ReadonlyMap<string, number>

/** Requests of the main thread. Paths are relative to the indexed folder. */
export type IndexRequest =
  | { id: number; find: FilePath; words: readonly string[] }
  | { id: number; more: true }
  | { id: number; forget: true }
  | { id: number; sizes: FilePath; most: number }
  | { id: number; texts: FilePath; wanted: WantedTexts }
  | { id: number; match: readonly FilePath[]; wanted: WantedTexts }
  | { changed: FilePath }
  | { listed: FilePath; facts: ListedFacts }
  | { end: true }

/** Hits relative to the queried folder, in walk order. */
export interface HitBatch {
  /** Separated by NUL, which no path contains. */
  paths: string
  /** One for each path; see `FACTS`. */
  facts: Float64Array<ArrayBuffer>
  /** One for each path; see `Known`. */
  disks: Float64Array<ArrayBuffer>
  last: boolean
}

/** Responses to each request with an id, except `forget`; a query without a result gets `unknown`. */
export type IndexResponse =
  | { id: number; found: HitBatch; state?: ContentState }
  | { id: number; matches: readonly (TextMatch | undefined)[] }
  | { id: number; sizes: KnownSizes }
  | { id: number; unknown: true }
  | { event: NamesNews }

/** Events for the host's log. */
export type NamesNews =
  | { news: 'complete'; folders: number; milliseconds: number; unwatched: number }
  | { news: 'contents complete'; files: number; bytes: number; milliseconds: number; isLimited: boolean }
  | { news: 'thrown away' | 'out of reach' | 'kept in a file'; reason: string }
  | { news: 'stopped'; reason: string }

/** The name index of one folder, as a store uses it. Paths are relative to the indexed folder. */
export interface NameIndex {
  /** See `IndexedPlace`. */
  readonly root: string
  /** @returns `undefined` while the folder is unknown; see `KnownNames.find` */
  find(folder: FilePath, words: readonly string[]): Promise<AsyncIterable<HitBatch> | undefined>
  /** @returns `undefined` while the thread does not run; see `KnownNames.sizes` */
  sizes(folder: FilePath, most: number): Promise<KnownSizes | undefined>
  want(): void
  /** Reports that a folder was listed. @param read returns its content; called only if the index can use it */
  listed(folder: FilePath, read: () => ListedFacts): void
  /** Only where texts are indexed. */
  readonly texts?: TextIndex
}

/** The text index of the same folder. */
export interface TextIndex {
  /** Files that may contain all texts; no hits while the thread does not know the folder. */
  find(folder: FilePath, wanted: WantedTexts): Promise<{ state: ContentState; found: AsyncIterable<HitBatch> }>
  /** The match in each file; `undefined` for a file that does not contain all texts. */
  match(files: readonly FilePath[], wanted: WantedTexts): Promise<readonly (TextMatch | undefined)[]>
}
