import type { FastifyReply, FastifyRequest } from 'fastify'
import { RewindBody, RewindPlan } from '../../../shared/api/changes.ts'
import { Job } from '../../../shared/api/jobs.ts'
import { parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { RewindCounts } from '../../files/rewind.ts'
import type { RewindSteps } from '../../files/rewind-plan.ts'
import { findJob } from '../../jobs/jobs.store.ts'
import { type SummaryDeps, summarize } from '../../jobs/summary.ts'
import { callerOf, type Route, remark } from '../../routing/route.ts'

export interface RewindDeps extends SummaryDeps {
  files: FilesService
  config: { baseURL: string }
}

/** Brings a folder back to a time (http-api 21). */
export function rewindRoute(deps: RewindDeps): Route {
  return {
    method: 'POST',
    path: '/api/changes/rewind',
    access: 'user',
    token: 'write',
    records: 'undo',
    schema: RewindBody,
    describes: {
      summary: 'Undo what all users changed in a folder since a time; or count what that would do',
      answers: {
        200: { text: 'With `dry`: what would be done. Else: there is nothing to undo.', schema: RewindPlan },
        202: { text: 'A job does it.', schema: Job, headers: { Location: 'The URL of the job.' } },
      },
      refuses: [403, 404, 409, 429, 501],
    },
    async handler(request, reply) {
      const { folder, to, dry } = request.body as RewindBody
      const own = await deps.files.for(callerOf(request).user)
      remark(request, { action: 'nothing' })
      const plan = await own.rewind.plan(parsePath(folder), timeOf(to))
      const items = plan.items.flatMap(({ step, ...item }) => {
        const path = own.rewind.pathOf(step)
        return path === undefined ? [] : [{ item, source: path }]
      })
      if (!dry && items.length > 0) return rewindByJob(deps, { request, reply, items })
      return present(await own.rewind.count(plan))
    },
  }
}

interface RewindOrder {
  request: FastifyRequest
  reply: FastifyReply
  items: readonly { item: Omit<RewindSteps['items'][number], 'step'>; source: string }[]
}

async function rewindByJob({ db, jobs, config }: RewindDeps, { request, reply, items }: RewindOrder) {
  const { user, sessionId, way } = callerOf(request)
  const id = await jobs.enqueue({
    kind: 'rewind',
    payload: { plan: items.map(({ item }) => item) },
    items: items.map(({ source }) => ({ source })),
    userId: user.id,
    sessionId,
    scope: user.scope,
    origin: { way, address: request.ip },
  })
  const row = await findJob(db, id)
  if (!row) throw new AppError('not_found')
  return reply
    .code(202)
    .header('Location', `${config.baseURL}/api/jobs/${id}`)
    .send(await summarize({ db, jobs }, row))
}

const present = ({ isChecked, ...counts }: RewindCounts): RewindPlan => ({ ...counts, checked: isChecked })

function timeOf(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new AppError('bad_request', 'to: must be a time')
  return time
}
