import type { FilePath } from '../../../shared/path.ts'
import type { KnownSum } from '../driver.ts'
import type { Hit } from './hit.ts'
import type { Item, Known, Page } from './name-pages.ts'

/** The number of the indexed folder itself. */
export const TOP = 1

/** A page as it is stored. */
export interface KeptPage {
  id: number
  folder: number
  /** From `toPageText`. */
  text: string
  /** Number of folders among the names. */
  folders: number
}

/** A folder below another. */
export interface KnownFolder {
  id: number
  name: string
}

/**
 * The storage of a name index: folders by place, and their names in pages. Calls are synchronous, for threads that may
 * block. All of it can be rebuilt.
 */
export interface NamesStore {
  /** Milliseconds after which open work is committed. */
  readonly commitEvery: number
  /** Whether there are other writers, which wait from `begin` to `commit`. */
  readonly isShared: boolean
  /** Whether another server has completed a full check, and changes were indexed since. */
  isComplete(): boolean
  /**
   * Starts a full check. @returns whether this server does it: false if another did so within this many milliseconds
   */
  beginCheck(within: number): boolean
  /** A full check has completed. */
  endCheck(): void
  begin(): void
  commit(): void
  /** Batches reads, which may make them cheaper. Must not be called between `begin` and `commit`. */
  reading<T>(read: () => T): T
  close(): void
  /** The folder at a path, if it is known. */
  folderAt(path: FilePath): number | undefined
  child(parent: number, name: string): number | undefined
  children(parent: number): KnownFolder[]
  /** A folder's own name and its parent; `undefined` for one that is being removed. */
  place(id: number): { parent: number; name: string } | undefined
  countFolders(): number
  addFolder(parent: number, name: string): number
  /** Hides a folder with everything below it; `clear` removes it. */
  detach(id: number): void
  /** Removes one detached folder, and detaches its subfolders. @returns its id; `undefined` if none is left */
  clear(): number | undefined
  /** The pages of a folder, in order. */
  pages(folder: number): KeptPage[]
  /** The facts of the names in a page. */
  known(page: KeptPage): Pick<Page, 'facts' | 'disks'>
  /** The facts of every name in a folder. */
  items(folder: number): Map<string, Known>
  /**
   * Sets the names of a folder; unchanged pages cost nothing.
   * @param items sorted by name
   * @param stamp see `readFolder`
   * @param isUnread whether there are no names because the folder could not be read
   */
  setItems(folder: number, items: readonly Item[], stamp: string, isUnread?: boolean): void
  /** The totals of a folder itself, and including everything below it. */
  sums(folder: number): { own: KnownSum; all: KnownSum }
  /** The largest subfolders of a folder. */
  largest(parent: number, most: number): { name: string; sum: KnownSum }[]
  /** Merges small segments of the trigram index, a little at a time. @returns whether there is more to do */
  tidy(): boolean
  /**
   * Everything below a folder whose name contains one of the words, or everything without words, in walk order; then
   * the folders that could not be read. Yields `undefined` where there is no hit yet, so that other work can run.
   * @param words in any case
   */
  seek(folder: number, words: readonly string[]): Generator<Hit | undefined>
}

/** The backend of a name index. */
export interface IndexBackend<N extends NamesStore> {
  /** Opens the index, or creates it. */
  open(): N
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
