import type { WorkerOptions } from 'node:worker_threads'

/**
 * Options of a thread that makes very many things at once, such as the names of a large folder: 8 MiB for what has just
 * been made, half of what the main thread has. Without a limit the runtime would take 32 for every thread.
 */
export const BUSY_THREAD: WorkerOptions = { resourceLimits: { maxYoungGenerationSizeMb: 12 } }

/** Options of a thread that makes little at a time: 4 MiB for it. */
export const LEAN_THREAD: WorkerOptions = { resourceLimits: { maxYoungGenerationSizeMb: 6 } }
