import { createStore, useStore } from '../../lib/store.ts'

/** Playback speeds of videos and audio files. */
export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const

/** Applies to all files, for the lifetime of the page. */
const store = createStore(1)

export const currentSpeed = store.get
export const setSpeed = store.set
export const useSpeed = (): number => useStore(store)
