import { Readable } from 'node:stream'
import { ExportedStep } from '../../../shared/api/changes.ts'
import { parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { ChangeRecord, StepRecord } from '../../files/change-records.ts'
import type { RecordedChanges } from '../../history/changes.ts'
import { csvLine } from '../../responses/csv.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { queryOf, type Route } from '../../routing/route.ts'
import { FILTERS, filterOf } from './filters.ts'

/** Records read at a time. */
const PAGE = 200

const COLUMNS = Object.keys(ExportedStep.shape) as (keyof ExportedStep)[]

/** The record of changes for administrators, with the paths of the served folder. */
export function exportRoute(changes: RecordedChanges): Route {
  return {
    method: 'GET',
    path: '/api/changes/export',
    access: 'admin',
    token: 'admin',
    queryToken: true,
    records: 'audit.export',
    describes: {
      summary: 'Download the record of changes, one step a line',
      query: {
        ...FILTERS,
        path: 'Only changes of this path of the served folder, or below it.',
        format: { text: 'The format; `ndjson` unless given.', of: ['ndjson', 'csv'] },
      },
      answers: {
        200: { text: 'The newest first.', type: ['application/x-ndjson', 'text/csv'], schema: ExportedStep },
      },
      refuses: [400],
    },
    async handler(request, reply) {
      const format = queryOf(request, 'format') || 'ndjson'
      if (format !== 'ndjson' && format !== 'csv') throw new AppError('bad_request', 'format: must be ndjson or csv')
      const filter = { ...filterOf(request), under: parsePath(queryOf(request, 'path') || '/') }
      const steps = stepsOf(changes, filter)
      reply.header('Content-Disposition', `attachment; filename="changes.${format}"`)
      reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8')
      return reply.send(Readable.from(format === 'csv' ? csv(steps) : ndjson(steps), { objectMode: false }))
    },
  }
}

async function* stepsOf(
  changes: RecordedChanges,
  filter: Parameters<RecordedChanges['list']>[0],
): AsyncGenerator<ExportedStep> {
  for (let before: string | undefined; ; ) {
    const page = await changes.list(before === undefined ? filter : { ...filter, before }, PAGE)
    for (const change of page) {
      for (let next = 0; ; ) {
        const steps = await changes.steps(change.id, next, PAGE)
        yield* steps.map(step => present(change, step))
        if (steps.length < PAGE) break
        next = (steps.at(-1)?.position ?? 0) + 1
      }
    }
    before = page.at(-1)?.id
    if (page.length < PAGE) return
  }
}

const present = (change: ChangeRecord, step: StepRecord): ExportedStep => ({
  change: change.id,
  position: step.position,
  time: rfc3339(change.at),
  user: change.username,
  way: change.way,
  kind: change.kind,
  step: step.kind,
  path: step.place,
  to: step.target ?? '',
  isDir: step.isFolder,
  state: step.state,
})

async function* ndjson(steps: AsyncIterable<ExportedStep>): AsyncGenerator<string> {
  for await (const step of steps) yield `${JSON.stringify(step)}\n`
}

async function* csv(steps: AsyncIterable<ExportedStep>): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for await (const step of steps) yield csvLine(COLUMNS.map(name => step[name]))
}
