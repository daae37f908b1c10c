import { createStore, useStore } from '../../lib/store.ts'

/** How fast films and sounds can be played. */
export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const

/** Holds for all of them, as long as the page lives. */
const store = createStore(1)

export const currentSpeed = store.get
export const setSpeed = store.set
export const useSpeed = (): number => useStore(store)
