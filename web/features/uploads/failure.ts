import { ApiError } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { sessionStore } from '../../lib/session.ts'
import type { FailureReason, Pause, UploadJob } from './job.ts'

/** The handling of a failed upload. */
export type AfterFailure =
  | { skipped: true; change?: never; pause?: never }
  | { skipped?: never; change: Partial<UploadJob>; pause?: Pause }

const MAX_COPIES = 999
/** Maximum number of connections lost without progress, while the server is reachable. */
const MAX_ATTEMPTS = 5

/**
 * Classifies an error: a conflict prompts, an ended session waits for the next sign-in, a lost connection for the
 * server, everything else fails with its reason.
 * @param isVisitor whether it was sent without a session
 */
export async function afterFailure(job: UploadJob, error: unknown, isVisitor = false): Promise<AfterFailure> {
  if (!(error instanceof ApiError)) return failed('other', errorText(error))
  const { status } = error
  if (status === 401) return afterRefusedToken(isVisitor)
  if (status === 409 && error.code !== 'wrong_offset') return afterConflict(job, error)
  if (status === 412) return afterChange(job)
  if (!isLost(error)) return failed(reasonOf(error), errorText(error))
  if (!(await isReadable(job))) return failed('unreadable', '')
  if (job.attempts >= MAX_ATTEMPTS) return failed('connection', error.message)
  return { change: { state: 'queued', attempts: job.attempts + 1 }, pause: 'offline' }
}

/** A token exchanged in the meantime needs no sign-in. */
function afterRefusedToken(isVisitor: boolean): AfterFailure {
  const change = { state: 'queued' } as const
  return sessionStore.get().user && !isVisitor ? { change } : { change, pause: 'session' }
}

/** No response, or a proxy's error without one from the server. */
function isLost({ status, code }: ApiError): boolean {
  return status === 0 || code === 'wrong_offset' || (code === '' && [408, 429, 502, 503, 504].includes(status))
}

/** The partial upload was deleted with its folder: another attempt starts from scratch. */
function failed(reason: FailureReason, message: string): AfterFailure {
  return {
    change: {
      state: 'failed',
      failure: { reason, message },
      ...(reason === 'folderGone' ? { begun: false, kept: 0 } : {}),
    },
  }
}

function afterConflict(job: UploadJob, { message, code }: ApiError): AfterFailure {
  const mayReplace = job.decision !== undefined && job.decision !== 'keepBoth'
  const inTheWay = code === 'is_a_folder' || code === 'not_a_folder'
  if (!job.file || mayReplace || inTheWay || job.copy >= MAX_COPIES) return failed('folderInTheWay', message)
  if (job.copy > 0) return { change: { state: 'queued', copy: job.copy + 1, begun: false, kept: 0 } }
  return { change: { state: 'conflict' } }
}

/** The existing file is newer than the one to be replaced: it stays, or the user decides again. */
function afterChange(job: UploadJob): AfterFailure {
  if (job.decision === 'replaceOlder') return { skipped: true }
  return { change: { state: 'conflict', decision: undefined, existing: undefined } }
}

function reasonOf({ status, code }: ApiError): FailureReason {
  if (code === 'is_a_folder' || code === 'not_a_folder') return 'folderInTheWay'
  if (code === 'bad_path' || code === 'name_too_long') return 'badName'
  if (code === 'read_only') return 'readOnly'
  if (code === 'checksum_mismatch') return 'damaged'
  if (code === 'incomplete_body') return 'connection'
  if (code === 'outside_scope' || code === 'server_refused') return 'other'
  if (code === 'quota_exceeded') return 'quota'
  if (status === 404) return 'folderGone'
  if (status === 403) return 'forbidden'
  if (status === 413) return 'tooLarge'
  return status === 507 ? 'noSpace' : 'other'
}

/** Browsers report a file moved or changed since it was chosen like a lost connection. */
async function isReadable({ file }: UploadJob): Promise<boolean> {
  if (!file) return true
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
