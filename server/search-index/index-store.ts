import type { FilePath } from '../../shared/path.ts'
import type { KnownSizes, SizesWanted } from '../storage/driver.ts'
import type { Hit, Item, Known } from '../storage/found-names.ts'

/** The number of the indexed folder itself. */
export const TOP = 1

/** A folder below another. */
export interface KnownFolder {
  id: number
  name: string
}

export type Awaitable<T> = T | Promise<T>

/** Where an index keeps what it knows: folders by place, and their names in pages. All of it can be rebuilt. */
export interface IndexStore {
  /** Milliseconds after which open work is committed. */
  readonly commitEvery: number
  /** Only where other servers use the same index. */
  readonly sharing?: IndexSharing
  begin(): Awaitable<void>
  commit(): Awaitable<void>
  close(): Awaitable<void>
  /** The folder at a path, if it is known. */
  folderAt(path: FilePath): Awaitable<number | undefined>
  child(parent: number, name: string): Awaitable<number | undefined>
  children(parent: number): Awaitable<KnownFolder[]>
  /** Whether a folder is known, and not being removed. */
  has(id: number): Awaitable<boolean>
  countFolders(): Awaitable<number>
  addFolder(parent: number, name: string): Awaitable<number>
  /** Removes a folder with everything below it; `tidy` does the rest. */
  detach(id: number): Awaitable<void>
  /** The facts of every name in a folder. */
  items(folder: number): Awaitable<Map<string, Known>>
  /**
   * Sets the names of a folder.
   * @param items sorted by name
   * @param stamp see `readFolder`
   * @param isUnread whether there are no names because the folder could not be read
   */
  setItems(folder: number, items: readonly Item[], stamp?: string, isUnread?: boolean): Awaitable<void>
  /** Cleans up a little. @returns whether there is more to do */
  tidy(): Awaitable<boolean>
  /** The totals of a folder and of its largest entries; yields where other work can run. */
  sizes(folder: number, wanted: SizesWanted): AsyncGenerator<undefined, Omit<KnownSizes, 'isComplete'>>
  /**
   * Everything below a folder whose name contains one of the words, or everything without words, in walk order; then
   * the folders that could not be read. Yields some hits, or none, where other work can run.
   * @param words in any case
   */
  seek(folder: number, words: readonly string[]): Generator<Hit[]> | AsyncGenerator<Hit[]>
}

/** What servers agree on that share an index. */
export interface IndexSharing {
  /** Whether another server has completed a scan, and changes were indexed since. */
  isComplete(): Promise<boolean>
  /** Starts a scan. @returns whether this server does it: false if another did so within this many milliseconds */
  beginScan(within: number): Promise<boolean>
  /** A scan has completed. */
  endScan(): Promise<void>
}

/** How the store of an index is opened. */
export interface IndexBackend<S extends IndexStore> {
  /** Opens the index, or creates it. */
  open(): Awaitable<S>
  /** Whether an error makes the opened index unusable. */
  isBroken(thrown: unknown): boolean
  /** Called before it is opened again. */
  discard(): void
  /** How the loss is described in the log. */
  readonly lost: 'thrown away' | 'out of reach'
  /** Total number of attempts to open it, and milliseconds between them. */
  readonly attempts: number
  readonly pause: number
}
