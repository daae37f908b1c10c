import type { FilePath } from '../../../shared/path.ts'

export type JobState = 'queued' | 'active' | 'failed' | 'conflict'

/** Why a job failed, for `uploads.reason.*`. */
export type FailureReason =
  | 'unreadable'
  | 'badName'
  | 'forbidden'
  | 'noSpace'
  | 'tooLarge'
  | 'connection'
  | 'folderInTheWay'
  | 'other'

export interface JobFailure {
  reason: FailureReason
  /** The server's own words, if any. */
  message: string
}

/** What stands where an upload wants to go. */
export interface Existing {
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch. */
  modified: number
  isDir: boolean
}

/** Why nothing is being sent at the moment. */
export type Pause = 'offline' | 'session'

/** One file or folder on its way up. Jobs are replaced, never changed; finished ones leave the queue. */
export interface UploadJob {
  id: string
  /** Where it goes, absolute inside the scope. */
  path: FilePath
  /** `undefined` for a folder. */
  file: File | undefined
  /** Bytes; 0 for a folder. */
  size: number
  /** Bytes sent so far. */
  sent: number
  state: JobState
  /** Whether it may replace what stands there. */
  override: boolean
  /** Number tried in `name(1).ext`; 0 until both are to be kept. */
  copy: number
  /** Whether it has been sent again after a lost connection. */
  retried: boolean
  failure: JobFailure | undefined
  existing: Existing | undefined
}

/** How the queue stands, in total. */
export interface UploadTotals {
  /** Jobs added since the queue was last empty, without cancelled ones. */
  total: number
  done: number
  active: number
  queued: number
  failed: number
  conflicts: number
  /** Bytes of all these jobs. */
  bytes: number
  sent: number
}

export const NO_TOTALS: UploadTotals = Object.freeze({
  total: 0,
  done: 0,
  active: 0,
  queued: 0,
  failed: 0,
  conflicts: 0,
  bytes: 0,
  sent: 0,
})

/** Progress in percent, rounded up (specification section 4). Folders and empty files count when all else is sent. */
export function percentOf({ bytes, sent, total, done }: UploadTotals): number {
  if (bytes > 0) return Math.min(100, Math.ceil((100 * sent) / bytes))
  return total > 0 ? Math.ceil((100 * done) / total) : 0
}
