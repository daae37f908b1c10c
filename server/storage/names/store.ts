import type { FilePath } from '../../../shared/path.ts'
import type { KnownSum } from '../driver.ts'
import type { Found } from './hit.ts'
import type { Item, Known, Page } from './name-pages.ts'

/** The indexed folder's own number. */
export const TOP = 1

/** A page as it is kept. */
export interface KeptPage {
  id: number
  folder: number
  /** `toPageText`. */
  text: string
  /** How many of the names are folders. */
  folders: number
}

/** A folder below another. */
export interface KnownFolder {
  id: number
  name: string
}

/**
 * What an index of names is kept in: folders by their place, and the names in each in pages. Its calls wait for nobody but the
 * store, on a thread that may. Nothing in it is worth keeping: it can be made anew.
 */
export interface NamesStore {
  /** Milliseconds after which work under way is written down. */
  readonly commitEvery: number
  /** Whether others write to it, who wait from `begin` to `commit`. */
  readonly isShared: boolean
  /** Whether somebody else has looked at everything, and changes were taken up since. */
  isComplete(): boolean
  /** Somebody is about to look at everything. @returns whether it is this one's turn, if nobody did so within some milliseconds */
  beginCheck(within: number): boolean
  /** Everything was looked at. */
  endCheck(): void
  begin(): void
  commit(): void
  /** Many looks at once, which then may cost less. Not to be called between `begin` and `commit`. */
  reading<T>(look: () => T): T
  close(): void
  /** The folder at a path, if it is known. */
  folderAt(path: FilePath): number | undefined
  child(parent: number, name: string): number | undefined
  children(parent: number): KnownFolder[]
  /** A folder's own name and what holds it; nothing for one that is being removed. */
  place(id: number): { parent: number; name: string } | undefined
  countFolders(): number
  addFolder(parent: number, name: string): number
  /** Takes a folder with all below it out of sight; `clear` removes it. */
  detach(id: number): void
  /** Removes one detached folder, and detaches what is in it. @returns its id; nothing if none is left */
  clear(): number | undefined
  /** The pages of a folder, in order. */
  pages(folder: number): KeptPage[]
  /** What is known of the names in a page. */
  known(page: KeptPage): Pick<Page, 'facts' | 'disks'>
  /** What is known of every name in a folder. */
  items(folder: number): Map<string, Known>
  /**
   * Makes these the names of a folder; pages that stay as they are cost nothing.
   * @param items sorted by name
   * @param stamp see `readFolder`
   * @param isUnread whether they are none because the folder could not be read
   */
  setItems(folder: number, items: readonly Item[], stamp: string, isUnread?: boolean): void
  /** What is in a folder itself, and with all that is below it. */
  sums(folder: number): { own: KnownSum; all: KnownSum }
  /** The folders in a folder that hold most. */
  largest(parent: number, most: number): { name: string; sum: KnownSum }[]
  /** Lays many small pieces of the index of parts together, a little at a time. @returns whether there is more to do */
  tidy(): boolean
  /**
   * Everything below a folder whose name holds one of the words, or everything without words, in the order of a walk; then
   * the folders that could not be read. `undefined` is yielded where there is nothing yet, so that others get their turn.
   * @param words of any case
   */
  seek(folder: number, words: readonly string[]): Generator<Found | undefined>
}

/** Where an index of names is kept. */
export interface NamesShelf<N extends NamesStore> {
  /** Makes the index unless it is there. */
  open(): N
  /** Whether nothing can be done with what was opened any more. */
  isBroken(thrown: unknown): boolean
  /** Called before it is opened again. */
  discard(): void
  /** What the host is told of that. */
  readonly lost: 'thrown away' | 'out of reach'
  /** Times that it is opened in all, and milliseconds in between. */
  readonly attempts: number
  readonly pause: number
}
