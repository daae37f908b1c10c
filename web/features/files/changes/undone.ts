import { createStore } from '../../../lib/store.ts'

/** The id of the change that was undone last on this page. */
export const undoneStore = createStore<string | undefined>(undefined)
