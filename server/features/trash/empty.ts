import { Job, MAX_JOB_ITEMS } from '../../../shared/api/jobs.ts'
import { EmptyBody } from '../../../shared/api/trash.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { SeenKept } from '../../files/trash.ts'
import type { JobPayloads } from '../../jobs/job-kinds.ts'
import { findJob } from '../../jobs/jobs.store.ts'
import type { NewItem } from '../../jobs/jobs.ts'
import { type SummaryDeps, summarize } from '../../jobs/summary.ts'
import { callerOf, type Route } from '../../routing/route.ts'

export interface EmptyDeps extends SummaryDeps {
  files: FilesService
  config: { baseURL: string }
}

/** Deletes what is in the trash now, as a job; what is deleted later stays. */
export function emptyRoute({ files, jobs, db, config }: EmptyDeps): Route {
  return {
    method: 'POST',
    path: '/api/trash/empty',
    access: 'user',
    token: 'write',
    records: 'nothing',
    schema: EmptyBody,
    describes: {
      summary: 'Empty the trash, as a job: it can be paused, and shows the bytes freed',
      answers: {
        202: {
          text: `The job, with an item for each of the newest ${MAX_JOB_ITEMS} things that the caller may delete for good.`,
          schema: Job,
          headers: { Location: 'The URL of the job.' },
        },
        204: { text: 'There is nothing to delete.' },
      },
      refuses: [429, 501],
    },
    async handler(request, reply) {
      const { user, sessionId, way } = callerOf(request)
      const { mine = false, before } = request.body as EmptyBody
      const own = await files.for(user)
      const things = await own.trash.purgeable(mine, timeOf(before), MAX_JOB_ITEMS)
      if (things.length === 0) return reply.code(204).send()
      const origin = { way, address: request.ip }
      const id = await jobs.enqueue({ ...emptying(things), userId: user.id, sessionId, scope: user.scope, origin })
      const row = await findJob(db, id)
      if (!row) throw new AppError('not_found')
      const location = `${config.baseURL}/api/jobs/${id}`
      return reply
        .code(202)
        .header('Location', location)
        .send(await summarize({ db, jobs }, row))
    },
  }
}

/** A job that deletes things in the trash for good. */
function emptying(things: readonly SeenKept[]): { kind: 'empty'; payload: JobPayloads['empty']; items: NewItem[] } {
  const bytes = things.reduce((sum, { size }) => sum + size, 0)
  const items = things.map(({ path: source }) => ({ source }))
  return { kind: 'empty', payload: { ids: things.map(({ id }) => id), bytes }, items }
}

/** The time of a `before`. @throws bad_request */
export function timeOf(before: string | undefined): number | undefined {
  const time = before === undefined ? undefined : Date.parse(before)
  if (Number.isNaN(time)) throw new AppError('bad_request', 'before: must be a time')
  return time
}
