import { createStore } from '../../../lib/store.ts'

/** Paths that the user's own share links lead to, as far as loaded. */
export const sharedStore = createStore<ReadonlySet<string>>(new Set())
