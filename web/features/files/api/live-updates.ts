import type { FilePath } from '../../../../shared/path.ts'
import { createStore } from '../../../lib/store.ts'

/** Number of running operations of this page whose outcome the listing shows before the server does. */
export const suspendedStore = createStore(0)

/**
 * Suspends reloads of listings while the page itself changes what they show. @returns the function that resumes them
 */
export function suspendReloads(): () => void {
  suspendedStore.set(suspendedStore.get() + 1)
  let held = true
  return () => {
    if (held) suspendedStore.set(suspendedStore.get() - 1)
    held = false
  }
}

/** Whether no connection is left for events: browsers allow six per server, and uploads use five. */
export const connectionsBusyStore = createStore(false)

/** Folders that this page uploads into, until their listings show what has arrived. */
export const uploadFoldersStore = createStore<ReadonlySet<FilePath>>(new Set())

const arrivals = new Set<(folder: FilePath) => void>()

/** Reports that an upload of this page has arrived in a folder. */
export function reportArrival(folder: FilePath): void {
  for (const listener of arrivals) listener(folder)
}

/**
 * Calls `listener` with every folder in which an upload of this page has arrived. @returns the function that
 * unsubscribes
 */
export function onArrival(listener: (folder: FilePath) => void): () => void {
  arrivals.add(listener)
  return () => arrivals.delete(listener)
}
