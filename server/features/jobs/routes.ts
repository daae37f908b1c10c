import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { Job, JobChange, JobRequest, MAX_JOB_BODY } from '../../../shared/api/jobs.ts'
import type { JobsTable } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/service.ts'
import { findJob, listJobs } from '../../jobs/jobs.store.ts'
import { type SummaryDeps, summarize, summarizeWhole } from '../../jobs/summary.ts'
import { callerOf, type Route } from '../../routing/route.ts'
import { conflictsRoute } from './conflicts.ts'
import { readRequest } from './request.ts'

/** Milliseconds an answer waits for the job: most are done by then, and nobody has to ask again. */
const PATIENCE = 800
/** Milliseconds it waits at most, for those who say that they can. */
const MOST_PATIENCE = 30_000
/** Jobs that are listed. */
const LISTED = 500

export interface JobRoutesDeps extends SummaryDeps {
  files: FilesService
  config: { baseURL: string }
}

/**
 * Work that outlives its request: copying, moving, deleting and packing many things at once. The audit log is told of each
 * thing when it is done, by whoever does it.
 */
export function jobRoutes(deps: JobRoutesDeps): Route[] {
  const { db, jobs, files, config } = deps
  return [
    conflictsRoute(files),
    {
      method: 'GET',
      path: '/api/jobs',
      access: 'user',
      describes: {
        summary: 'List jobs, the newest first',
        answers: { 200: { text: 'Those of the caller; everybody’s for administrators.', schema: z.array(Job) } },
      },
      async handler(request) {
        const { user } = callerOf(request)
        const rows = await listJobs(db, user.perm.admin ? undefined : user.id, LISTED)
        return Promise.all(rows.map(row => summarize(deps, row)))
      },
    },
    {
      method: 'POST',
      path: '/api/jobs',
      access: 'user',
      records: 'nothing',
      schema: JobRequest,
      bodyLimit: MAX_JOB_BODY,
      describes: {
        summary: 'Copy, move, delete or pack many things, now or later',
        headers: { Prefer: '`wait=` and the seconds to wait for the end (RFC 7240), instead of less than one.' },
        answers: {
          200: { text: 'It is done, with a result for each item; nothing is kept of it.', schema: Job },
          202: { text: 'It goes on.', schema: Job, headers: { Location: 'Where the job is told of.' } },
        },
        refuses: [429],
      },
      async handler(request, reply) {
        const { user, sessionId, way } = callerOf(request)
        const origin = { way, address: request.ip }
        const wish = readRequest(await files.for(user), request.body as JobRequest, Date.now())
        const id = await jobs.enqueue({ ...wish, userId: user.id, sessionId, scope: user.scope, origin })
        if (wish.runAt === undefined) await jobs.settled(id, patienceOf(request))
        const row = await findJob(db, id)
        if (!row) throw new AppError('not_found')
        if (wish.runAt !== undefined || row.ended_at === null)
          return reply
            .code(202)
            .header('Location', `${config.baseURL}/api/jobs/${id}`)
            .send(await summarize(deps, row))
        const whole = await summarizeWhole(deps, row)
        await jobs.forget(row)
        return whole
      },
    },
    {
      method: 'GET',
      path: '/api/jobs/:id',
      access: 'user',
      describes: {
        summary: 'Tell of one job, item by item',
        answers: { 200: { text: 'The job with its items.', schema: Job } },
        refuses: [404],
      },
      handler: async request => summarizeWhole(deps, await jobOf(deps, request)),
    },
    {
      method: 'PATCH',
      path: '/api/jobs/:id',
      access: 'user',
      records: 'nothing',
      schema: JobChange,
      describes: {
        summary: 'Pause a job, or let it go on; what is done stays done',
        answers: { 200: { text: 'As it is now.', schema: Job }, 409: { text: 'It has ended.' } },
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
      records: 'nothing',
      describes: {
        summary: 'Stop a job, or one that has not begun; what is done stays done',
        answers: { 200: { text: 'It stops, or had ended before.', schema: Job } },
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
      records: 'nothing',
      describes: {
        summary: 'Forget a job that has ended',
        answers: { 204: { text: 'It is no longer told of.' }, 409: { text: 'It has not ended.' } },
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

/** Milliseconds that the client would wait (RFC 7240 section 4.3). */
function patienceOf({ headers }: FastifyRequest): number {
  const seconds = /(?:^|[,;])\s*wait=(\d{1,4})\s*(?:[,;]|$)/i.exec(String(headers.prefer ?? ''))?.[1]
  return seconds === undefined ? PATIENCE : Math.min(Number(seconds) * 1000, MOST_PATIENCE)
}

/** The job a call is about: one of the caller's, or anybody's for administrators. @throws AppError `not_found` */
async function jobOf({ db }: JobRoutesDeps, request: FastifyRequest): Promise<JobsTable> {
  const { id = '' } = request.params as { id?: string }
  const { user } = callerOf(request)
  const job = await findJob(db, id)
  if (!job || (job.user_id !== user.id && !user.perm.admin)) throw new AppError('not_found')
  return job
}
