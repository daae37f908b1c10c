import type { FilePath } from '../../shared/path.ts'
import { createStore } from './store.ts'

/** How many deeds of this page are under way whose outcome the listing shows before the server does. */
export const heldStore = createStore(0)

/** Keeps listings from being loaded again while the page itself changes what they show. @returns ends it */
export function holdListings(): () => void {
  heldStore.set(heldStore.get() + 1)
  let held = true
  return () => {
    if (held) heldStore.set(heldStore.get() - 1)
    held = false
  }
}

/**
 * Whether so many connections are in use that none is left for events: browsers allow six to one server, and uploads
 * take five.
 */
export const crowdedStore = createStore(false)

/** Folders that uploads of this page go into, until their listings show what has arrived. */
export const arrivingStore = createStore<ReadonlySet<FilePath>>(new Set())

const arrivals = new Set<(folder: FilePath) => void>()

/** Reports that something of this page has arrived in a folder. */
export function tellArrival(folder: FilePath): void {
  for (const listener of arrivals) listener(folder)
}

/** Calls `listener` with every folder in which something of this page has arrived. @returns what ends it */
export function onArrival(listener: (folder: FilePath) => void): () => void {
  arrivals.add(listener)
  return () => arrivals.delete(listener)
}
