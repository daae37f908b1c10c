import type { AuditAction } from '../../../shared/api/audit.ts'
import { type FilePath, joinPath } from '../../../shared/path.ts'
import type { Audit } from '../../audit/audit.ts'
import type { JobItemsTable, JobsTable } from '../../db/schema.ts'
import { asAppError } from '../../errors.ts'
import { scopeFolder } from '../../files/scope.ts'
import type { JobOrigin } from '../../jobs/jobs.ts'
import type { ItemResult } from '../../jobs/run.ts'
import type { StoredUser } from '../users/users.store.ts'

/** One thing that a job is about to do, and for whom. */
export interface Order {
  job: JobsTable
  item: JobItemsTable
  user: StoredUser
}

/** Works on an item and tells the audit log what came of it; an interrupted one is told of when it is gone on with. */
export async function recorded(
  { audit }: { audit: Audit },
  order: Order,
  work: () => Promise<ItemResult>,
): Promise<ItemResult> {
  try {
    const result = await work()
    if (result.state === 'done') await audit.record({ ...eventOf(order, result.target), outcome: 'done' })
    return result
  } catch (thrown) {
    const { code } = asAppError(thrown)
    // What was cut off changed nothing yet, except that of a folder some may be deleted.
    if (code !== 'incomplete_body' || order.job.kind === 'delete') {
      await audit.record({ ...eventOf(order), outcome: code === 'hook_failed' ? 'done' : code })
    }
    throw thrown
  }
}

function eventOf({ job, item, user }: Order, went?: string) {
  const origin: Partial<JobOrigin> = JSON.parse(job.origin)
  const { way = 'session', address = '' } = origin
  const place = (path: string) => joinPath(scopeFolder(job.scope), path as FilePath)
  const goal = went ?? item.target
  const action = job.kind as AuditAction
  return {
    action,
    way,
    address,
    who: user,
    path: place(item.source),
    ...(goal === null ? {} : { target: place(goal) }),
  }
}
