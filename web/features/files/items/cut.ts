import { createStore } from '../../../lib/store.ts'

/** Paths of the items on the clipboard that pasting moves. */
export const cutStore = createStore<ReadonlySet<string>>(new Set())
