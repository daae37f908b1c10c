import { LIMITS } from '../../limits.ts'
/** Milliseconds a process may take to be ready for work. */
export const START_TIME = 30_000
/** Milliseconds that making a preview may take, and each time that bytes for it are handed over. */
export const RENDER_TIME = LIMITS.previewTime
/** Times a process may ask for bytes of one file. */
export const MAX_READS = 256
/** Bytes a process may hold while it makes a preview. */
export const RENDER_MEMORY = LIMITS.previewMemory
/** Requests that wait for a free process; each keeps its file open. */
export const MAX_WAITING = LIMITS.previewsWaiting
/** Milliseconds after which a process with nothing to do ends. */
export const IDLE_TIME = 30_000
/** Bytes of a preview; more than a lossless one of the largest size needs. */
export const MAX_PREVIEW_BYTES = 32 * 1024 * 1024
/** Bytes of all previews that are kept. */
export const CACHE_BYTES = 1024 ** 3
/** Milliseconds after which a picture that could not be shown is tried again. */
export const FAILURE_AGE = 24 * 3_600_000
/** Seconds after which one who found the queue full may ask again. */
export const RETRY_AFTER = 5
