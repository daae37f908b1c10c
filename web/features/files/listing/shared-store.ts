import { createStore } from '../../../lib/store.ts'

/** Paths of what links of one's own lead to, as far as that is known. */
export const sharedStore = createStore<ReadonlySet<string>>(new Set())
