import { createStore } from '../../../lib/store.ts'

/** Bytes of the folders in the folder on the screen, by path, as far as the search index knows them. */
export const folderSizesStore = createStore<ReadonlyMap<string, number>>(new Map())

/** What the column of sizes says while it has none of folders. */
export const sizesHintStore = createStore<string | undefined>(undefined)
