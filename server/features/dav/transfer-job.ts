import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FilePath, joinPath } from '../../../shared/path.ts'
import type { Db, JobItemsTable, JobsTable } from '../../db/schema.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import type { TransferRequest } from '../../files/transfer.ts'
import type { RecordedChanges } from '../../history/changes.ts'
import type { Whole } from '../../jobs/job-kinds.ts'
import { findJob, listItems } from '../../jobs/jobs.store.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { LIMITS } from '../../limits.ts'
import { callerOf, clientGone, remark } from '../../routing/route.ts'

export interface TransferJobDeps {
  db: Db
  jobs: Jobs
  changes: Pick<RecordedChanges, 'along' | 'ofJob'>
  /** Fires when the server shuts down. */
  stopping: AbortController
}

export interface TransferOrder {
  kind: 'copy' | 'move'
  from: FilePath
  to: FilePath
  whole: NonNullable<Whole['whole']>
  failed: NonNullable<TransferRequest['failed']>
}

/** How a job has ended, or the id of one that continues. */
export type JobEnd = { id: string } | { kept: string | undefined }

/**
 * Transfers by a job, which continues without its client and after a restart, and waits for it. A job that has done all of
 * it is not kept; others stay in the list of jobs.
 * @throws AppError its result
 */
export async function transferByJob(
  deps: TransferJobDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { kind, from, to, whole, failed }: TransferOrder,
): Promise<JobEnd> {
  const { db, jobs, changes, stopping } = deps
  const { user, sessionId, way } = callerOf(request)
  // The job has a row of its own in the audit log.
  remark(request, { action: 'nothing' })
  const who = { userId: user.id, sessionId, scope: user.scope, origin: { way, address: request.ip } }
  const id = await jobs.enqueue({ kind, payload: { whole }, ...who, items: [{ source: from, target: to }] })
  const gone = clientGone(request, reply)
  await jobs.settled(id, LIMITS.davWait, AbortSignal.any([gone, stopping.signal]))
  gone.throwIfAborted()
  const job = await findJob(db, id)
  if (!job || job.ended_at === null) return { id }
  jobs.seen(job)
  const change = await changes.ofJob(id)
  if (change !== undefined) user.recording.change = change
  const kept = resultOf(job, await listItems(db, id), failed)
  await jobs.forget(job)
  return { kept }
}

/** @returns what became of a replaced file @throws AppError for anything but success */
function resultOf(
  { code: over }: JobsTable,
  [item, ...parts]: readonly JobItemsTable[],
  failed: TransferOrder['failed'],
): string | undefined {
  if (!item || item.state === 'cancelled')
    throw over === null ? new AppError('forbidden', 'the job was cancelled') : new AppError('unauthorized')
  const { source, state, code, journal } = item
  if (state !== 'failed') return (JSON.parse(journal ?? '{}') as { kept?: string }).kept
  for (const part of parts) {
    const { member } = JSON.parse(part.journal ?? '{}') as { member?: FilePath }
    if (member !== undefined) failed(joinPath(source as FilePath, `/${member}` as FilePath), part.code as ErrorCode)
  }
  throw new AppError((code ?? 'internal') as ErrorCode)
}
