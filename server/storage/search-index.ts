import type { FolderTotals } from '../../shared/api/resources.ts'
import type { ContentState, TextMatch } from '../../shared/api/search.ts'
import type { FilePath } from '../../shared/path.ts'
import type { Entry } from './entry.ts'
import type { KnownSizes } from './folder-size.ts'

/**
 * What is known of names without looking into each folder. It is never more than a store could tell by listing folders, but may
 * be a little older where nobody tells the store of changes.
 */
export interface KnownNames {
  /**
   * Things below a folder in batches, in the order of a walk, at least those whose name holds one of the words, whatever
   * its case; all of them without words. Folders that could not be read come last. The guard is asked about each, not about the folders it is in.
   * @returns nothing while it is not known what the folder holds
   * @throws not_found, not_a_folder
   */
  find(folder: FilePath, words: readonly string[]): Promise<AsyncIterable<FoundEntry[]> | undefined>
  /** Set where `find` knows at any time, if only by asking the store. */
  readonly findsAlways?: true
  /** What all below a folder adds up to, links not followed; the guard is not asked about it. @throws not_found, not_a_folder */
  totals(folder: FilePath): Promise<FolderTotals | undefined>
  /**
   * The same with what the things in the folder add up to, only where the store keeps such sums.
   * @param most things in the folder that are told by name, the largest ones
   * @returns nothing for a folder of which no sizes are kept
   * @throws not_found, not_a_folder
   */
  sizes?(folder: FilePath, most: number): Promise<KnownSizes | undefined>
  /** Says that somebody had to walk a long way. */
  want(): void
  /** Only where the store takes up what is in texts, too. */
  texts?: KnownTexts
}

/** Things found, and how many were looked at since the search began. */
export interface NamesMet {
  met: number
  entries: FoundEntry[]
}

/** What is known of the content of texts; it is begun when somebody asks first. */
export interface KnownTexts {
  /**
   * Files below a folder in which all of some texts stand now, in batches. They are looked for where the text was taken
   * up already. The guard is asked about each file, not about the folders it is in.
   * @param keep says which files are looked into; others are left alone
   * @returns nothing for a folder that is not looked into at all
   * @throws not_found, not_a_folder
   */
  find(folder: FilePath, wanted: WantedTexts, keep: (file: FoundEntry) => boolean): Promise<FoundTexts | undefined>
}

/** What is looked for in texts; in lower case unless the case counts. */
export interface WantedTexts {
  texts: readonly string[]
  caseSensitive: boolean
}

export interface FoundTexts {
  state: ContentState
  found: AsyncIterable<(FoundEntry & { match: TextMatch })[]>
}

/**
 * A thing that an index knows; or `unread`, that of what is in a folder nothing is known because it could not be read.
 * `disk`: bytes that a file takes on the disk, where that is known.
 */
export type FoundEntry = Pick<Entry, 'name' | 'path' | 'canonical' | 'isLink' | 'size'> & {
  kind: Entry['kind'] | 'unread'
  disk?: number
}
