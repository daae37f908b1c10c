import type { TextMatch } from '../../../shared/api/search.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { WantedTexts } from '../driver.ts'
import type { Hit } from './hit.ts'
import type { ListedFacts } from './messages.ts'
import type { NamesStore } from './store.ts'

/** The data source of an index. */
export interface NamesSource<N extends NamesStore> {
  crawl(names: N, hear: CrawlNews): NamesCrawl
  /** Only where texts can be indexed. */
  texts?: TextsSource<N>
}

/** Unsolicited notifications of a crawl. */
export interface CrawlNews {
  /** Something changed, and more changes may follow soon. */
  changed(): void
  /** Requested data has arrived. */
  arrived(): void
  /** A folder was read again: its changed names, or `undefined` if any may have changed. */
  read(folder: number, changed: ReadonlySet<string> | undefined): void
}

/** Updates a name index from its source, step by step. */
export interface NamesCrawl {
  /** Whether known changes are pending. */
  readonly isBehind: boolean
  /** Whether a full check is in progress. */
  readonly isChecking: boolean
  readonly isIdle: boolean
  /** Whether a step would do nothing until requested data arrives. */
  readonly isWaiting: boolean
  /** Number of folders whose changes by other programs are not notified. */
  readonly unwatched: number
  /** Checks all folders, and indexes those that changed. */
  checkAll(): void
  /** Records a change at a path or below it. */
  touch(path: FilePath): void
  /** Records a listing of a folder, possibly outdated; only where changes by others are not notified. */
  listed?(folder: FilePath, facts: ListedFacts): void
  /** Does one unit of pending work. */
  step(): void
  /** Cancels work in progress. */
  close(): void
}

export interface TextsSource<N extends NamesStore> {
  crawl(names: N): TextsCrawl
  /** Files below a folder that may contain all texts; see `NamesStore.seek`. */
  seek(names: N, folder: number, texts: readonly string[]): Generator<Hit | undefined>
  /** The match in each file, in order; `undefined` for a file that does not contain all texts. */
  match(files: readonly FilePath[], wanted: WantedTexts): Generator<undefined, (TextMatch | undefined)[]>
}

/** As `NamesCrawl`, for texts. */
export interface TextsCrawl {
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
  checkAll(): void
  /** Called after a folder was read again; see `CrawlNews`. */
  note(folder: number, changed: ReadonlySet<string> | undefined): void
  step(): void
}

/** For sources whose texts are not indexed. */
export const NO_TEXTS: TextsCrawl = {
  isWanted: false,
  isComplete: false,
  isLimited: false,
  isBehind: false,
  isIdle: true,
  taken: () => ({ files: 0, bytes: 0 }),
  want() {},
  checkAll() {},
  note() {},
  step() {},
}
