import type { FastifyRequest } from 'fastify'
import {
  CHANGES_PAGE,
  ChangeDetails,
  ChangePage,
  MAX_UNDO_AT_ONCE,
  STEPS_PAGE,
  UndoAnswer,
  UndoBody,
} from '../../../shared/api/changes.ts'
import { Job, MAX_JOB_BODY, MAX_JOB_ITEMS } from '../../../shared/api/jobs.ts'
import { parsePath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { HistoryRequest, SeenStep } from '../../files/history.ts'
import { undoRequestOf } from '../../files/undo-request.ts'
import type { RecordedChanges } from '../../history/changes.ts'
import { findJob } from '../../jobs/jobs.store.ts'
import { type SummaryDeps, summarize } from '../../jobs/summary.ts'
import { callerOf, parameterOf, queryOf, type Route, remark } from '../../routing/route.ts'
import { activityRoute } from './activity.ts'
import { exportRoute } from './export.ts'
import { FILTERS, filterOf } from './filters.ts'
import { rewindRoute } from './rewind.ts'
import { presentChange, presentOutcome, presentStep, presentVerdict } from './view.ts'

export interface ChangesDeps extends SummaryDeps {
  db: Db
  files: FilesService
  changes: RecordedChanges
  config: { baseURL: string; historyDays: number; trashDays: number }
}

/** Verdicts per response. */
const MOST_VERDICTS = 1000

const ID = 'The id of a change.'

/** What users changed, and undo (http-api 21). */
export function changesRoutes(deps: ChangesDeps): Route[] {
  const { files, config } = deps
  return [
    activityRoute(deps),
    exportRoute(deps.changes),
    {
      method: 'GET',
      path: '/api/changes',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List changes to files, the newest first',
        query: {
          mine: { text: '`true` lists only the caller’s.', type: 'boolean' },
          session: { text: '`true` lists only those of the caller’s session.', type: 'boolean' },
          path: 'Only changes of this file or folder, or below it.',
          ...FILTERS,
          undoable: { text: '`true` lists only those of which something can be undone.', type: 'boolean' },
          before: 'The id of the last change of the page before.',
        },
        answers: {
          200: { text: `Up to ${CHANGES_PAGE} changes of which the caller may see a path.`, schema: ChangePage },
        },
        refuses: [400, 403, 501],
      },
      async handler(request): Promise<ChangePage> {
        const own = await files.for(callerOf(request).user)
        const { items, more } = await own.history.list(listedBy(request), CHANGES_PAGE)
        return { items: items.map(item => presentChange(item, config)), more }
      },
    },
    {
      method: 'GET',
      path: '/api/changes/:id',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'Get one change with its steps',
        path: ID,
        query: { steps: { text: 'The position of the first step; 0 unless given.', type: 'integer' } },
        answers: { 200: { text: `Up to ${STEPS_PAGE} steps that the caller may see.`, schema: ChangeDetails } },
        refuses: [400, 404, 501],
      },
      async handler(request): Promise<ChangeDetails> {
        const own = await files.for(callerOf(request).user)
        const change = await own.history.find(parameterOf(request, 'id'))
        const { steps, more } = await own.history.steps(change.record.id, positionOf(request), STEPS_PAGE)
        return { ...presentChange(change, config), steps: steps.map(presentStep), moreSteps: more }
      },
    },
    {
      method: 'POST',
      path: '/api/changes/:id/undo',
      access: 'user',
      token: 'write',
      records: 'undo',
      schema: UndoBody,
      bodyLimit: MAX_JOB_BODY,
      describes: {
        summary: 'Undo a change, or some of its steps; or say what an undo would do',
        path: ID,
        answers: {
          200: { text: 'A verdict or a result for each step, the newest first.', schema: UndoAnswer },
          202: {
            text: `More than ${MAX_UNDO_AT_ONCE} steps are undone by a job.`,
            schema: Job,
            headers: { Location: 'The URL of the job.' },
          },
        },
        refuses: [404, 429, 501],
      },
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        const [id, body] = [parameterOf(request, 'id'), request.body as UndoBody]
        if (body.dry) remark(request, { action: 'nothing' })
        else remark(request, { target: id })
        if (body.dry) return preview(own, id, body)
        const steps = await own.undo.attempted(id, body.steps, MAX_JOB_ITEMS)
        if (steps.length > MAX_UNDO_AT_ONCE) {
          remark(request, { action: 'nothing' })
          const job = await undoByJob(deps, request, { change: id, steps, body })
          return reply.code(202).header('Location', `${config.baseURL}/api/jobs/${job.id}`).send(job)
        }
        const outcomes = await own.undo.run(id, undoRequestOf(body), MAX_UNDO_AT_ONCE)
        const { change } = callerOf(request).user.recording
        return { results: outcomes.map(presentOutcome), ...(change !== undefined && { change }) } satisfies UndoAnswer
      },
    },
    rewindRoute(deps),
  ]
}

function listedBy(request: FastifyRequest): HistoryRequest {
  return {
    ...filterOf(request),
    undoable: queryOf(request, 'undoable') === 'true',
    path: parsePath(queryOf(request, 'path') ?? '/'),
    mine: queryOf(request, 'mine') === 'true',
    ofSession: queryOf(request, 'session') === 'true',
  }
}

function positionOf(request: FastifyRequest): number {
  const text = queryOf(request, 'steps') ?? '0'
  if (!/^\d{1,9}$/.test(text)) throw new AppError('bad_request', 'steps: must be a position')
  return Number(text)
}

async function preview(own: Files, id: string, body: UndoBody): Promise<UndoAnswer> {
  const verdicts = await own.undo.preview(id, undoRequestOf(body), MOST_VERDICTS)
  const wire = verdicts.map(presentVerdict)
  return { verdicts: wire, count: wire.length, can: wire.filter(({ can }) => can).length }
}

/** An undo of many steps. */
interface UndoOrder {
  change: string
  steps: readonly SeenStep[]
  body: UndoBody
}

async function undoByJob({ db, jobs }: ChangesDeps, request: FastifyRequest, order: UndoOrder): Promise<Job> {
  const { user, sessionId, way } = callerOf(request)
  const { change, steps, body } = order
  const { dry: _dry, steps: _steps, ...decisions } = body
  const id = await jobs.enqueue({
    kind: 'undo',
    payload: { change, positions: steps.map(({ step }) => step.position), ...decisions },
    items: steps.map(({ path: source }) => ({ source })),
    userId: user.id,
    sessionId,
    scope: user.scope,
    origin: { way, address: request.ip },
  })
  const row = await findJob(db, id)
  if (!row) throw new AppError('not_found')
  return summarize({ db, jobs }, row)
}
