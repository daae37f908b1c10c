import type { ContentState, TextMatch } from '../../shared/api/search.ts'
import type { FilePath } from '../../shared/path.ts'
import { NO_SUM } from '../../shared/sizes.ts'
import type { Crawlable } from '../storage/crawlable.ts'
import type { HitBatch, KnownSizes, SizesWanted } from '../storage/driver.ts'
import type { IndexSettings, WantedTexts } from './search-index.ts'

/** The index of one root, and how it is kept. */
export interface IndexSetup extends IndexSettings {
  root: Crawlable
}

/** Identifies a root. */
export function placeOf(root: Crawlable): string {
  return 'folder' in root ? root.folder : root.place
}

/** The sizes while an index knows nothing. */
export const UNKNOWN_SIZES: KnownSizes = Object.freeze({ isComplete: false, total: NO_SUM, count: 0, items: [] })

/** What an index does where it runs: on a thread, or on the main one. */
export type IndexCalls = {
  /** No batches while the folder is unknown. */
  find(query: { folder: FilePath; words: readonly string[] }): AsyncGenerator<HitBatch>
  /** The state, and then the files that may contain all texts. */
  findTexts(query: { folder: FilePath; wanted: WantedTexts }): AsyncGenerator<ContentState | HitBatch>
  match(query: { files: readonly FilePath[]; wanted: WantedTexts }): Promise<readonly (TextMatch | undefined)[]>
  /** `undefined` for a folder behind a link, whose sizes are not kept. */
  sizes(query: { folder: FilePath; wanted: SizesWanted }): Promise<KnownSizes | undefined>
  changed(path: FilePath): Promise<void>
  listed(listing: { folder: FilePath; facts: ReadonlyMap<string, number> }): Promise<void>
  close(): Promise<void>
}
