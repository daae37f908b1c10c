import { ApiError } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import type { FailureReason, Pause, UploadJob } from './job.ts'

/** What becomes of a job that could not be sent. */
export type AfterFailure =
  | { again?: never; change: Partial<UploadJob>; pause?: Pause }
  /** The connection broke for a moment: send it once more, a little later. */
  | { again: 'later'; pause?: never }

const MAX_COPIES = 999

/**
 * Decides what to do about an error: a conflict asks (specification section 8), an ended session waits for the next
 * login, a lost connection is tried once more, everything else fails with its reason.
 */
export async function afterFailure(job: UploadJob, error: unknown): Promise<AfterFailure> {
  if (!(error instanceof ApiError)) return failed('other', errorText(error))
  const { status, message } = error
  if (status === 401) return { change: { state: 'queued', sent: 0 }, pause: 'session' }
  if (status === 409) return afterConflict(job, error)
  if (status !== 0) return failed(reasonOf(error), errorText(error))
  if (!(await isReadable(job))) return failed('unreadable', '')
  if (job.retried) return failed('connection', message)
  if (navigator.onLine) return { again: 'later' }
  return { change: { state: 'queued', sent: 0, retried: true }, pause: 'offline' }
}

function failed(reason: FailureReason, message: string): AfterFailure {
  return { change: { state: 'failed', sent: 0, failure: { reason, message } } }
}

function afterConflict(job: UploadJob, { message }: ApiError): AfterFailure {
  if (!job.file || job.override || job.copy >= MAX_COPIES) return failed('folderInTheWay', message)
  if (job.copy > 0) return { change: { state: 'queued', sent: 0, copy: job.copy + 1 } }
  return { change: { state: 'conflict', sent: 0 } }
}

function reasonOf({ status, code }: ApiError): FailureReason {
  if (code === 'is_a_folder' || code === 'not_a_folder') return 'folderInTheWay'
  if (code === 'bad_path' || code === 'name_too_long') return 'badName'
  if (status === 403) return 'forbidden'
  if (status === 413) return 'tooLarge'
  return status === 507 ? 'noSpace' : 'other'
}

/** A browser reports a file that was moved or changed since it was chosen like a lost connection. */
async function isReadable({ file }: UploadJob): Promise<boolean> {
  if (!file) return true
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
