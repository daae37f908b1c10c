import type { Worker } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import type { ContentState, TextMatch } from '../../../shared/api/search.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { KnownSizes, WantedTexts } from '../driver.ts'

/** How a host keeps an index of names. */
export interface NamesSettings {
  /** The index's own file. */
  file: string
  /** The database in which hosts that serve one place share its index, where there is one. */
  database?: ClientConfig | undefined
  /** Whether the system is asked to tell of changes, where it can. */
  watches: boolean
  /** Milliseconds after which a search makes it look through all folders again. */
  lookEvery: number
  /** Whether texts are taken up, where they can be: when somebody asks, with the start, or never. */
  texts: 'auto' | 'always' | 'off'
  /** Bytes of all texts that are taken up. */
  textsLimit: number
}

/** What the thread that keeps an index of names is started with. */
export interface NamesSetup extends NamesSettings {
  /** See `IndexedPlace`. */
  root: string
}

/** What a driver brings to an index of its names. */
export interface IndexedPlace {
  /** What tells it from others: the real path of a folder, or the address of a store. */
  root: string
  /** Whether the texts in it can be taken up. */
  hasTexts: boolean
  /** Starts the thread that reads it. */
  start(setup: NamesSetup): Worker
}

/** What is in a folder by its names; see `FACTS`. */
export type ListedFacts = ReadonlyMap<string, number>

/** What the main thread asks. Paths are those below the indexed folder. */
export type NamesAsk =
  | { id: number; find: FilePath; words: readonly string[] }
  | { id: number; more: true }
  | { id: number; forget: true }
  | { id: number; sizes: FilePath; most: number }
  | { id: number; texts: FilePath; wanted: WantedTexts }
  | { id: number; look: readonly FilePath[]; wanted: WantedTexts }
  | { changed: FilePath }
  | { listed: FilePath; facts: ListedFacts }
  | { end: true }

/** Things found, relative to the folder that was asked for, in the order of a walk. */
export interface FoundNames {
  /** Separated by NUL, which no path can hold. */
  paths: string
  /** One a path; see `FACTS`. */
  facts: Float64Array<ArrayBuffer>
  /** One a path; see `Known`. */
  disks: Float64Array<ArrayBuffer>
  last: boolean
}

/** Answers to each question with an id but `forget`; nothing known answers `unknown`. */
export type NamesAnswer =
  | { id: number; found: FoundNames; state?: ContentState }
  | { id: number; matches: readonly (TextMatch | undefined)[] }
  | { id: number; sizes: KnownSizes }
  | { id: number; unknown: true }
  | { told: NamesNews }

/** What the host may want to read in the log. */
export type NamesNews =
  | { news: 'complete'; folders: number; milliseconds: number; unwatched: number }
  | { news: 'contents complete'; files: number; bytes: number; milliseconds: number; isLimited: boolean }
  | { news: 'thrown away' | 'out of reach' | 'kept in a file'; reason: string }
  | { news: 'stopped'; reason: string }

/** The index of one folder's names, as a store asks it. Paths are those below the indexed folder. */
export interface NameIndex {
  /** See `IndexedPlace`. */
  readonly root: string
  /** @returns nothing while it does not know that folder; see `KnownNames.find` */
  find(folder: FilePath, words: readonly string[]): Promise<AsyncIterable<FoundNames> | undefined>
  /** @returns nothing while its thread does not run; see `KnownNames.sizes` */
  sizes(folder: FilePath, most: number): Promise<KnownSizes | undefined>
  want(): void
  /** Somebody listed a folder. @param read tells what was in it; asked only if the index can use it */
  listed(folder: FilePath, read: () => ListedFacts): void
  /** Only where texts are taken up. */
  readonly texts?: TextIndex
}

/** The index of the texts below the same folder. */
export interface TextIndex {
  /** Files that may hold all of some texts; nothing found while its thread does not know the folder. */
  find(folder: FilePath, wanted: WantedTexts): Promise<{ state: ContentState; found: AsyncIterable<FoundNames> }>
  /** Where they stand in these files; nothing for one that does not hold them all. */
  look(files: readonly FilePath[], wanted: WantedTexts): Promise<readonly (TextMatch | undefined)[]>
}
