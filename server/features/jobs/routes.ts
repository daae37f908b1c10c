import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { Job, JobChange, JobRequest, MAX_JOB_BODY } from '../../../shared/api/jobs.ts'
import type { TrashMode } from '../../../shared/api/trash.ts'
import type { JobsTable } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { RecordedChanges } from '../../history/changes.ts'
import { findJob, isOwnJob, listJobs } from '../../jobs/jobs.store.ts'
import { type SummaryDeps, summarize, summarizeWhole } from '../../jobs/summary.ts'
import { trashUse } from '../../responses/conditions.ts'
import { callerOf, parameterOf, type Route } from '../../routing/route.ts'
import { conflictsRoute } from './conflicts.ts'
import { renameFactsRoute } from './rename-facts.ts'
import { readRequest } from './request.ts'

/** Milliseconds a response waits for the job: most are done by then, and the client need not poll. */
const PATIENCE = 800
/** The most milliseconds a response waits, for clients that ask for it. */
const MOST_PATIENCE = 30_000
/** The most jobs listed. */
const LISTED = 500

export interface JobRoutesDeps extends SummaryDeps {
  files: FilesService
  changes: Pick<RecordedChanges, 'ofJob'>
  config: { baseURL: string; trash: TrashMode }
}

/**
 * Work that outlives its request: bulk copy, move, delete and archive operations. The audit log has one entry for each
 * item, written when the item is done.
 */
export function jobRoutes(deps: JobRoutesDeps): Route[] {
  const { db, jobs, files, config } = deps
  return [
    conflictsRoute(files),
    renameFactsRoute(files),
    {
      method: 'GET',
      path: '/api/jobs',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List jobs, newest first',
        answers: { 200: { text: 'Those of the caller; all for administrators.', schema: z.array(Job) } },
      },
      async handler(request) {
        const caller = callerOf(request)
        const rows = await listJobs(db, caller.user.perm.admin ? undefined : caller.user.id, LISTED)
        const own = rows.filter(row => isOwnJob(row, caller))
        for (const row of own) if (row.user_id === caller.user.id) jobs.seen(row)
        return Promise.all(own.map(row => summarize(deps, row)))
      },
    },
    {
      method: 'POST',
      path: '/api/jobs',
      access: 'user',
      token: 'write',
      records: 'nothing',
      schema: JobRequest,
      bodyLimit: MAX_JOB_BODY,
      describes: {
        summary: 'Copy, move, rename, delete or archive many items, now or later',
        headers: {
          'X-Trash':
            '`1` moves deleted items to the trash where the host leaves that to clients, and deletes none for good.',
          Prefer: '`wait=` and the seconds to wait for the end (RFC 7240), instead of less than one.',
        },
        answers: {
          200: { text: 'The job is done, with a result for each item; it is not kept.', schema: Job },
          202: { text: 'The job continues.', schema: Job, headers: { Location: 'The URL of the job.' } },
        },
        refuses: [429],
      },
      async handler(request, reply) {
        const { user, sessionId, way } = callerOf(request)
        const origin = { way, address: request.ip }
        const body = request.body as JobRequest
        const spec = readRequest(await files.for(user), body, Date.now(), trashUse(request, config.trash))
        const id = await jobs.enqueue({ ...spec, userId: user.id, sessionId, scope: user.scope, origin })
        if (spec.runAt === undefined) await jobs.settled(id, patienceOf(request))
        const row = await findJob(db, id)
        if (!row) throw new AppError('not_found')
        if (spec.runAt !== undefined || row.ended_at === null)
          return reply
            .code(202)
            .header('Location', `${config.baseURL}/api/jobs/${id}`)
            .send(await summarize(deps, row))
        const whole = await describeWhole(deps, row)
        await jobs.forget(row)
        if (whole.change !== undefined) callerOf(request).user.recording.change = whole.change
        return whole
      },
    },
    {
      method: 'GET',
      path: '/api/jobs/:id',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'Get one job with its items',
        answers: { 200: { text: 'The job with its items.', schema: Job } },
        refuses: [404],
      },
      async handler(request) {
        const job = await jobOf(deps, request)
        if (job.user_id === callerOf(request).user.id) jobs.seen(job)
        return describeWhole(deps, job)
      },
    },
    {
      method: 'PATCH',
      path: '/api/jobs/:id',
      access: 'user',
      token: 'write',
      records: 'nothing',
      schema: JobChange,
      describes: {
        summary: 'Pause or resume a job; finished items stay done',
        answers: { 200: { text: 'The job as it is now.', schema: Job }, 409: { text: 'It has ended.' } },
        refuses: [404],
      },
      async handler(request) {
        const job = await jobOf(deps, request)
        if (job.ended_at !== null) throw new AppError('exists')
        const { paused } = request.body as JobChange
        await (paused ? jobs.pause(job) : jobs.resume(job))
        if (paused) await jobs.settled(job.id, PATIENCE)
        return summarizeWhole(deps, (await findJob(db, job.id)) ?? job)
      },
    },
    {
      method: 'POST',
      path: '/api/jobs/:id/cancel',
      access: 'user',
      token: 'write',
      records: 'nothing',
      describes: {
        summary: 'Cancel a job, also one that has not begun; finished items stay done',
        answers: { 200: { text: 'It is stopping, or had ended before.', schema: Job } },
        refuses: [404],
      },
      async handler(request) {
        const job = await jobOf(deps, request)
        if (job.ended_at === null) {
          await jobs.cancel(job.id)
          await jobs.settled(job.id, PATIENCE)
        }
        return summarizeWhole(deps, (await findJob(db, job.id)) ?? job)
      },
    },
    {
      method: 'DELETE',
      path: '/api/jobs/:id',
      access: 'user',
      token: 'write',
      records: 'nothing',
      describes: {
        summary: 'Delete a job that has ended',
        answers: { 204: { text: 'It is deleted.' }, 409: { text: 'It has not ended.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        const job = await jobOf(deps, request)
        if (job.ended_at === null) throw new AppError('exists')
        await jobs.forget(job)
        return reply.code(204).send()
      },
    },
  ]
}

/** A job with its items, and the change that it made. */
async function describeWhole(deps: JobRoutesDeps, row: JobsTable): Promise<Job> {
  const change = await deps.changes.ofJob(row.id)
  return { ...(await summarizeWhole(deps, row)), ...(change !== undefined && { change }) }
}

/** Milliseconds that the client is prepared to wait (RFC 7240 section 4.3). */
function patienceOf({ headers }: FastifyRequest): number {
  const seconds = /(?:^|[,;])\s*wait=(\d{1,4})\s*(?:[,;]|$)/i.exec(String(headers.prefer ?? ''))?.[1]
  return seconds === undefined ? PATIENCE : Math.min(Number(seconds) * 1000, MOST_PATIENCE)
}

/** The job of a request: one of the caller's, or any for administrators. @throws AppError `not_found` */
async function jobOf({ db }: JobRoutesDeps, request: FastifyRequest): Promise<JobsTable> {
  const job = await findJob(db, parameterOf(request, 'id'))
  if (!job || !isOwnJob(job, callerOf(request))) throw new AppError('not_found')
  return job
}
