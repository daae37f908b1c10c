import { childOf, type FilePath, nameOf, numberedName, parentOf } from '../../../shared/path.ts'
import type { Decision } from '../files/operations/conflicts/conflict.ts'

export type JobState = 'queued' | 'active' | 'paused' | 'failed' | 'conflict'

/** Why a job failed: a text of `uploads.reason.*`, or of its own for `quota`. */
export type FailureReason =
  | 'unreadable'
  | 'badName'
  | 'forbidden'
  | 'noSpace'
  | 'quota'
  | 'readOnly'
  | 'tooLarge'
  | 'connection'
  | 'damaged'
  | 'folderGone'
  | 'folderInTheWay'
  | 'other'

export interface JobFailure {
  reason: FailureReason
  /** The server's own text, if any. */
  message: string
}

/** The existing item at the destination of an upload. */
export interface Existing {
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch. */
  modified: number
  isDir: boolean
}

/** Why sending is suspended; `person`: paused by the user. */
export type Pause = 'offline' | 'session' | 'person'

/** An upload of a file or folder. Jobs are immutable; finished ones leave the queue. */
export interface UploadJob {
  id: string
  /** Destination path, absolute inside the scope. */
  path: FilePath
  /** `undefined` for a folder. */
  file: File | undefined
  /** Bytes; 0 for a folder. */
  size: number
  /** Bytes sent as displayed: never decreases, even when some are sent again. */
  sent: number
  /** Whether the server may have a partial upload to resume. */
  begun: boolean
  /** Bytes stored on the server as last known. */
  kept: number
  state: JobState
  /** The decision on a conflict. */
  decision: Decision | undefined
  /** Number tried in `name(1).ext`; 0 unless both are kept. */
  copy: number
  /** Number of connections lost without progress. */
  attempts: number
  failure: JobFailure | undefined
  /** The existing item in conflict, or the existing folder. */
  existing: Existing | undefined
}

/** Totals of the queue. */
export interface UploadTotals {
  /** Jobs added since the queue was last empty, without cancelled ones. */
  total: number
  done: number
  skipped: number
  active: number
  /** Queued jobs, and jobs paused by the user. */
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
  skipped: 0,
  active: 0,
  queued: 0,
  failed: 0,
  conflicts: 0,
  bytes: 0,
  sent: 0,
})

/** Progress in percent, rounded up. Folders and empty files count once all else is sent. */
export function percentOf({ bytes, sent, total, done, skipped }: UploadTotals): number {
  if (bytes > 0) return Math.min(100, Math.ceil((100 * sent) / bytes))
  return total > 0 ? Math.ceil((100 * (done + skipped)) / total) : 0
}

/** Destination of a job: a numbered name when both are kept. */
export function targetOf({ path, copy }: Pick<UploadJob, 'path' | 'copy'>): FilePath {
  return childOf(parentOf(path), numberedName(nameOf(path), copy))
}
