import { childOf, type FilePath, nameOf, parentOf } from '../../../shared/path.ts'
import type { Decision } from '../../lib/prompts.ts'
import { numberedName } from '../files/items/names.ts'

export type JobState = 'queued' | 'active' | 'paused' | 'failed' | 'conflict'

/** Why a job failed, for `uploads.reason.*`. */
export type FailureReason =
  | 'unreadable'
  | 'badName'
  | 'forbidden'
  | 'noSpace'
  | 'readOnly'
  | 'tooLarge'
  | 'connection'
  | 'damaged'
  | 'folderGone'
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

/** Why nothing is being sent at the moment; `person`: because somebody wants so. */
export type Pause = 'offline' | 'session' | 'person'

/** One file or folder on its way up. Jobs are replaced, never changed; finished ones leave the queue. */
export interface UploadJob {
  id: string
  /** Where it goes, absolute inside the scope. */
  path: FilePath
  /** `undefined` for a folder. */
  file: File | undefined
  /** Bytes; 0 for a folder. */
  size: number
  /** Bytes sent so far, as they are shown: never less than before, though some have to be sent again. */
  sent: number
  /** Whether the server may have a part of it, for which it can be asked. */
  begun: boolean
  /** Bytes that the server kept when that was last known. */
  kept: number
  state: JobState
  /** What was decided about something that stands there. */
  decision: Decision | undefined
  /** Number tried in `name(1).ext`; 0 until both are to be kept. */
  copy: number
  /** How many times the connection broke without a byte getting through. */
  attempts: number
  failure: JobFailure | undefined
  /** What stands in a file's way, or the folder that is there already. */
  existing: Existing | undefined
}

/** How the queue stands, in total. */
export interface UploadTotals {
  /** Jobs added since the queue was last empty, without cancelled ones. */
  total: number
  done: number
  skipped: number
  active: number
  /** Those that wait for their turn, and those that somebody has paused. */
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

/** Progress in percent, rounded up. Folders and empty files count when all else is sent. */
export function percentOf({ bytes, sent, total, done, skipped }: UploadTotals): number {
  if (bytes > 0) return Math.min(100, Math.ceil((100 * sent) / bytes))
  return total > 0 ? Math.ceil((100 * (done + skipped)) / total) : 0
}

/** Where a job is sent: a numbered name when both are to be kept. */
export function targetOf({ path, copy }: Pick<UploadJob, 'path' | 'copy'>): FilePath {
  return childOf(parentOf(path), numberedName(nameOf(path), copy))
}
