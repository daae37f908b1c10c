import type { FilePath } from '../../../../shared/path.ts'
import type { KnownSizes } from '../../driver.ts'
import type { Confinement } from '../handle.ts'

/** What the thread that keeps an index of names is started with. */
export interface NamesSetup {
  /** The index's own file. */
  file: string
  /** The real path of the folder whose names it holds. */
  root: string
  level: Confinement
  stagingKey: Uint8Array
  /** Whether the system is asked to tell of changes. */
  watches: boolean
  /** Milliseconds after which a search makes it look through all folders again. */
  lookEvery: number
}

/** What the main thread asks. Paths are those below the indexed folder. */
export type NamesAsk =
  | { id: number; find: FilePath; words: readonly string[] }
  | { id: number; more: true }
  | { id: number; forget: true }
  | { id: number; sizes: FilePath; most: number }
  | { changed: FilePath }
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
  | { id: number; found: FoundNames }
  | { id: number; sizes: KnownSizes }
  | { id: number; unknown: true }
  | { told: NamesNews }

/** What the host may want to read in the log. */
export type NamesNews =
  | { news: 'complete'; folders: number; milliseconds: number; unwatched: number }
  | { news: 'thrown away'; reason: string }
  | { news: 'stopped'; reason: string }

/** The index of one folder's names, as a store asks it. Paths are those below the indexed folder. */
export interface NameIndex {
  /** The real path of the folder. */
  readonly root: string
  /** @returns nothing while it does not know that folder; see `KnownNames.find` */
  find(folder: FilePath, words: readonly string[]): Promise<AsyncIterable<FoundNames> | undefined>
  /** @returns nothing while its thread does not run; see `KnownNames.sizes` */
  sizes(folder: FilePath, most: number): Promise<KnownSizes | undefined>
  want(): void
}
