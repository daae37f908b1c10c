import type { TextMatch } from '../../../shared/api/search.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Hit } from '../../storage/found-names.ts'
import type { Awaitable, IndexStore } from '../index-store.ts'
import type { WantedTexts } from '../search-index.ts'

/** What an index is made from. */
export interface IndexSource<S extends IndexStore> {
  crawl(store: S, on: CrawlEvents): Crawl
  /** Only where texts can be indexed. */
  texts?: TextSource<S>
}

export interface CrawlEvents {
  /** Something changed, and more changes may follow soon. */
  changed(): void
  /** Requested data has arrived. */
  arrived(): void
  /** A folder was read again: its changed names, or `undefined` if any may have changed. */
  read(folder: number, changed: ReadonlySet<string> | undefined): void
}

/** Updates the names of an index from its source, step by step. */
export interface Crawl {
  /** Whether known changes are pending. */
  readonly isBehind: boolean
  /** Whether a scan is in progress. */
  readonly isScanning: boolean
  readonly isIdle: boolean
  /** Whether a step would do nothing until requested data arrives. */
  readonly isWaiting: boolean
  /** Number of folders whose changes by other programs are not notified. */
  unwatched(): Awaitable<number>
  /** Starts a scan: checks all folders, and indexes those that changed. */
  scan(): void
  /** Records a change at a path or below it. */
  touch(path: FilePath): void
  /** Records a listing of a folder, possibly outdated; only where changes by others are not notified. */
  listed?(folder: FilePath, facts: ReadonlyMap<string, number>): Promise<void>
  /** Does one unit of pending work. */
  step(): Awaitable<void>
  /** Cancels work in progress. */
  close(): void
}

export interface TextSource<S extends IndexStore> {
  crawl(store: S): TextCrawl
  /** Files below a folder that may contain all texts; see `IndexStore.seek`. */
  seek(store: S, folder: number, texts: readonly string[]): Generator<Hit[]>
  /** The match in each file, in order; `undefined` for a file that does not contain all texts. */
  match(files: readonly FilePath[], wanted: WantedTexts): Generator<undefined, (TextMatch | undefined)[]>
}

/** As `Crawl`, for texts. */
export interface TextCrawl {
  /** Whether texts are indexed. */
  readonly isWanted: boolean
  /** Whether every file has been checked since the start. */
  readonly isComplete: boolean
  /** Whether files were left out because of the limit. */
  readonly isLimited: boolean
  readonly isBehind: boolean
  readonly isIdle: boolean
  /** Number and total size in bytes of the indexed texts. */
  taken(): { files: number; bytes: number }
  /** Starts indexing; idempotent. */
  want(): void
  /** Checks all files, and reads those that changed. */
  scan(): void
  /** Called after a folder was read again; see `CrawlEvents`. */
  note(folder: number, changed: ReadonlySet<string> | undefined): void
  step(): void
}
