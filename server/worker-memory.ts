import { isMainThread, type WorkerOptions } from 'node:worker_threads'

/**
 * Options of a thread that makes very many things at once, such as the names of a large folder: 8 MiB for what has just
 * been made, half of what the main thread has. Without a limit the runtime would take 32 for every thread.
 */
export const BUSY_THREAD: WorkerOptions = { resourceLimits: { maxYoungGenerationSizeMb: 12 } }

/** Options of a thread that makes little at a time: 4 MiB for it. */
export const LEAN_THREAD: WorkerOptions = { resourceLimits: { maxYoungGenerationSizeMb: 6 } }

/** Milliseconds without work after which a thread gives memory back, and again after as many. */
const REST = 15_000
/** The first time leaves only what is in use, the others make the room smaller and have the system take what was freed. */
const ROUNDS = 3
/** Of the main thread only what was made lately is looked through: all of it would take too long for whoever asks then. */
const LOOKED_THROUGH = isMainThread ? 'minor' : 'major'

/**
 * Gives memory of this thread back once it has had no work for a while, in a few milliseconds: by itself the runtime keeps
 * the room that new things once needed until it is full again. Needs `--expose-gc`, and does nothing without.
 * @param rest milliseconds without work
 * @returns to be called whenever there is work
 */
export function givesBackAtRest(rest = REST): () => void {
  let rounds = 0
  const timer = setTimeout(() => {
    globalThis.gc?.({ type: LOOKED_THROUGH, execution: 'sync' })
    rounds += 1
    if (rounds < ROUNDS) timer.refresh()
  }, rest).unref()
  return () => {
    rounds = 0
    timer.refresh()
  }
}
