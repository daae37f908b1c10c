import type { TextMatch } from '../../../shared/api/search.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { WantedTexts } from '../driver.ts'
import type { Found } from './hit.ts'
import type { ListedFacts } from './messages.ts'
import type { NamesStore } from './store.ts'

/** Where an index learns what there is. */
export interface NamesSource<N extends NamesStore> {
  crawl(names: N, hear: CrawlNews): NamesCrawl
  /** Only where texts can be taken up. */
  texts?: TextsSource<N>
}

/** What a crawl tells while nobody asks it. */
export interface CrawlNews {
  /** Something changed, and more may soon. */
  changed(): void
  /** What it waited for has come. */
  arrived(): void
  /** A folder was read anew: which names changed, or nothing if any may have. */
  read(folder: number, changed: ReadonlySet<string> | undefined): void
}

/** Brings an index of names up to what is there, piece by piece. */
export interface NamesCrawl {
  /** Whether something is known to have changed. */
  readonly isBehind: boolean
  /** Whether something is still to be looked at to make sure. */
  readonly isChecking: boolean
  readonly isIdle: boolean
  /** Whether a step would do nothing until what was asked for has come. */
  readonly isWaiting: boolean
  /** Folders whose changes by others nobody tells of. */
  readonly unwatched: number
  /** Looks at all folders, and takes up those that changed. */
  checkAll(): void
  /** Something at a path was changed, or below it. */
  touch(path: FilePath): void
  /** Takes note of what somebody met in a folder, perhaps a while ago; only where nobody tells of what others change. */
  listed?(folder: FilePath, facts: ListedFacts): void
  /** Does one piece of what there is to do. */
  step(): void
  /** Ends what is under way. */
  close(): void
}

export interface TextsSource<N extends NamesStore> {
  crawl(names: N): TextsCrawl
  /** Files below a folder that may hold all of some texts; see `NamesStore.seek`. */
  seek(names: N, folder: number, texts: readonly string[]): Generator<Found | undefined>
  /** Where the texts stand in these files, one after the other; nothing for one that does not hold them all. */
  look(files: readonly FilePath[], wanted: WantedTexts): Generator<undefined, (TextMatch | undefined)[]>
}

/** The same as `NamesCrawl` for what stands in texts. */
export interface TextsCrawl {
  /** Whether texts are taken up. */
  readonly isWanted: boolean
  /** Whether every file has been looked at since the start. */
  readonly isComplete: boolean
  /** Whether files were left out because there were too many. */
  readonly isLimited: boolean
  readonly isBehind: boolean
  readonly isIdle: boolean
  /** How many texts were taken up, and how many bytes they are. */
  taken(): { files: number; bytes: number }
  /** Begins, unless it has. */
  want(): void
  /** Looks at all files, and reads those that changed. */
  checkAll(): void
  /** A folder was read anew; see `CrawlNews`. */
  note(folder: number, changed: ReadonlySet<string> | undefined): void
  step(): void
}

/** Where no texts are taken up. */
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
