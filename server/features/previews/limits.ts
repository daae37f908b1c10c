import { LIMITS } from '../../limits.ts'
/** The start timeout of a process, in milliseconds. */
export const START_TIME = 30_000
/** The time limit of a preview, and of each transfer of bytes for it, in milliseconds. */
export const RENDER_TIME = LIMITS.previewTime
/** Reads that a process may request of one file. */
export const MAX_READS = 256
/** The memory limit of a process while it makes a preview, in bytes. */
export const RENDER_MEMORY = LIMITS.previewMemory
/** Requests queued for a free process; each keeps its file open. */
export const MAX_WAITING = LIMITS.previewsWaiting
/** Milliseconds after which an idle process ends. */
export const IDLE_TIME = 30_000
/** The size limit of a preview in bytes; more than a lossless one of the largest size needs. */
export const MAX_PREVIEW_BYTES = 32 * 1024 * 1024
/** The budget of the preview cache, in bytes. */
export const CACHE_BYTES = 1024 ** 3
/** Milliseconds after which a failed image is retried. */
export const FAILURE_AGE = 24 * 3_600_000
/** Seconds after which a client refused by a full queue may retry. */
export const RETRY_AFTER = 5
