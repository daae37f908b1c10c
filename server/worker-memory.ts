import { isMainThread, type WorkerOptions } from 'node:worker_threads'

/**
 * Options of a worker that allocates much at once, such as the names of a large folder: a semi-space of 8 MiB, half of
 * the main thread's. Without a limit every worker would get 32.
 */
export const BUSY_THREAD: WorkerOptions = { resourceLimits: { maxYoungGenerationSizeMb: 12 } }

/** Options of a worker that allocates little at a time: a semi-space of 4 MiB. */
export const LEAN_THREAD: WorkerOptions = { resourceLimits: { maxYoungGenerationSizeMb: 6 } }

/** Idle milliseconds after which a thread collects garbage, and between the rounds. */
const IDLE = 15_000
/** The first round frees garbage; the others shrink the heap and return memory to the system. */
const ROUNDS = 3
/** On the main thread only the young generation is collected: a full collection would block requests for too long. */
const GENERATION = isMainThread ? 'minor' : 'major'

/**
 * Returns a function that runs the garbage collector once its thread has been idle for a while, which takes a few
 * milliseconds: otherwise the runtime keeps a heap of its peak size until it is full again. Needs `--expose-gc`;
 * without it, does nothing.
 * @param idle idle milliseconds
 * @returns call it whenever there is work
 */
export function collectWhenIdle(idle = IDLE): () => void {
  let rounds = 0
  const timer = setTimeout(() => {
    globalThis.gc?.({ type: GENERATION, execution: 'sync' })
    rounds += 1
    if (rounds < ROUNDS) timer.refresh()
  }, idle).unref()
  return () => {
    rounds = 0
    timer.refresh()
  }
}
