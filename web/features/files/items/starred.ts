import { createStore } from '../../../lib/store.ts'

/** Paths of the starred items in the folder on the screen, as far as loaded. */
export const starredStore = createStore<ReadonlySet<string>>(new Set())
