import type { FolderTotals } from '../../shared/api/resources.ts'
import type { ContentState, TextMatch } from '../../shared/api/search.ts'
import type { FilePath } from '../../shared/path.ts'
import type { Entry } from './entry.ts'
import type { KnownSizes } from './folder-size.ts'

/**
 * Searches names without reading every folder. The result never contains more than a listing of all folders would, but
 * may lag behind changes that the store is not notified of.
 */
export interface KnownNames {
  /**
   * Entries below a folder in batches, in walk order: at least those whose name contains one of the words, ignoring
   * case; all of them without words. Folders that could not be read come last. The guard is asked about each entry, not
   * about its parent folders.
   * @returns `undefined` while the folder is not indexed
   * @throws not_found, not_a_folder
   */
  find(folder: FilePath, words: readonly string[]): Promise<AsyncIterable<FoundEntry[]> | undefined>
  /** Set where `find` always has a result, if necessary by querying the store. */
  readonly findsAlways?: true
  /**
   * The totals of everything below a folder, links not followed; the guard is not asked. @throws not_found,
   * not_a_folder
   */
  totals(folder: FilePath): Promise<FolderTotals | undefined>
  /**
   * The totals of a folder and of its entries, only where the store keeps them.
   * @param most maximum number of entries that are named, the largest ones
   * @returns `undefined` for a folder whose sizes are not kept
   * @throws not_found, not_a_folder
   */
  sizes?(folder: FilePath, most: number): Promise<KnownSizes | undefined>
  /** Reports that a request had to walk a large tree. */
  want(): void
  /** Only where the store indexes texts, too. */
  texts?: KnownTexts
}

/** Matching entries, and the number of entries scanned since the search began. */
export interface NamesMet {
  met: number
  entries: FoundEntry[]
}

/** Searches the content of texts; indexing starts with the first search. */
export interface KnownTexts {
  /**
   * Files below a folder that contain all texts now, in batches. Only indexed files are searched. The guard is asked
   * about each file, not about its parent folders.
   * @param keep selects the files to read
   * @returns `undefined` for a folder whose texts are not indexed
   * @throws not_found, not_a_folder
   */
  find(folder: FilePath, wanted: WantedTexts, keep: (file: FoundEntry) => boolean): Promise<FoundTexts | undefined>
}

/** Search texts; in lower case unless case-sensitive. */
export interface WantedTexts {
  texts: readonly string[]
  caseSensitive: boolean
}

export interface FoundTexts {
  state: ContentState
  found: AsyncIterable<(FoundEntry & { match: TextMatch })[]>
}

/**
 * An indexed entry; or `unread`: a folder whose content is unknown because it could not be read. `disk`: allocated
 * bytes of a file, if known.
 */
export type FoundEntry = Pick<Entry, 'name' | 'path' | 'canonical' | 'isLink' | 'size'> & {
  kind: Entry['kind'] | 'unread'
  disk?: number
}
