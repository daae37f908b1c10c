import type { AuditAction } from '../../../shared/api/audit.ts'
import type { FilePath } from '../../../shared/path.ts'
import { type Audit, type AuditEvent, withToken } from '../../audit/audit.ts'
import type { JobItemsTable, JobsTable } from '../../db/schema.ts'
import { asAppError } from '../../errors.ts'
import type { Recording } from '../../files/change-records.ts'
import type { FilesService } from '../../files/files-service.ts'
import { factsOf } from '../../files/step-facts.ts'
import type { RecordedChanges } from '../../history/changes.ts'
import type { JobPayloads } from '../../jobs/job-kinds.ts'
import type { JobOrigin } from '../../jobs/jobs.ts'
import type { ItemResult } from '../../jobs/run.ts'
import { LIMITS } from '../../limits.ts'
import { tokenIdIn } from '../tokens/session-ids.ts'
import type { StoredUser } from '../users/users.store.ts'

/** One operation that a job is about to do, and for which user. */
export interface ItemOperation {
  job: JobsTable
  item: JobItemsTable
  user: StoredUser & { recording: Recording }
}

interface JobAuditDeps {
  audit: Audit
  changes: RecordedChanges
  files: Pick<FilesService, 'placeOf'>
}

/** Works on an item and records the outcome in the audit log; an interrupted item is recorded when it is resumed. */
export async function recorded(
  { audit, changes, files }: JobAuditDeps,
  operation: ItemOperation,
  work: () => Promise<ItemResult>,
): Promise<ItemResult> {
  const { recording } = operation.user
  const write = async (event: AuditEvent | undefined) => {
    if (event) await audit.record(event, changes.along(recording))
    else await changes.write(recording)
    changes.announce(recording)
  }
  const action = actionOf(operation.job)
  try {
    const result = await work()
    const isRecorded = action && result.state === 'done'
    await write(
      isRecorded ? { ...(await eventOf(files, operation, action, result.target)), outcome: 'done' } : undefined,
    )
    return result
  } catch (thrown) {
    const { code } = asAppError(thrown)
    // An interrupted operation changed nothing, except that a deletion may be partial.
    const isRecorded = action && (code !== 'incomplete_body' || operation.job.kind === 'delete')
    const outcome = code === 'hook_failed' ? 'done' : code
    await write(isRecorded ? { ...(await eventOf(files, operation, action)), outcome } : undefined)
    throw thrown
  }
}

/** Actions of jobs whose kind has another name. */
const AUDITED: Readonly<Record<string, AuditAction>> = { rename: 'move', rewind: 'undo', empty: 'purge' }

/** Nothing for jobs that only read. */
function actionOf({ kind, payload }: JobsTable): AuditAction | undefined {
  if (kind === 'verify' || kind === 'duplicates') return undefined
  if (kind === 'resolve') return (JSON.parse(payload) as JobPayloads['resolve']).act === 'trash' ? 'delete' : 'save'
  return AUDITED[kind] ?? (kind as AuditAction)
}

async function eventOf(
  files: JobAuditDeps['files'],
  { job, item, user }: ItemOperation,
  action: AuditAction,
  went?: string,
) {
  const origin: Partial<JobOrigin> = JSON.parse(job.origin)
  const { way = 'session', address = '' } = origin
  const place = (path: string) => files.placeOf({ ...user, scope: job.scope }, path as FilePath)
  const goal = went ?? item.target
  const [path, aim] = [await place(item.source), goal === null ? undefined : await place(goal)]
  const target = withToken(aim, tokenIdIn(job.session_id))
  const isBeyond = item.position >= LIMITS.webhookItems
  const facts = { ...factsOf(user.recording.latest, [path, aim]), ...(isBeyond && { isBeyond }) }
  return { action, way, address, who: user, facts, path, ...(target !== undefined && { target }) }
}
