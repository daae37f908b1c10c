import type { JobItemsTable, JobsTable } from '../../db/schema.ts'
import { AppError, ERROR_CODES, type ErrorCode } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { RewindItem } from '../../files/rewind-plan.ts'
import type { UndoOutcome } from '../../files/undo.ts'
import { undoRequestOf } from '../../files/undo-request.ts'
import type { JobPayloads } from '../../jobs/job-kinds.ts'
import type { ItemResult, Tools } from '../../jobs/run.ts'

interface UndoWork {
  job: JobsTable
  item: JobItemsTable
}

/** Attempts at a step that a killed process left, and milliseconds between two of them. */
const UNSETTLED = { tries: 20, wait: 500 }
/** The error codes of obstacles. */
const OBSTACLES: Readonly<Record<string, ErrorCode>> = {
  gone: 'gone',
  final: 'gone',
  taken: 'exists',
  changed_since: 'changed_since',
  open: 'unavailable',
}

/** Undoes one step of a change. @throws AppError for a step that cannot be undone */
export async function undoStep(own: Files, { job, item }: UndoWork, tools: Tools): Promise<ItemResult> {
  const { change, positions, ...decisions }: JobPayloads['undo'] = JSON.parse(job.payload)
  const position = positions[item.position] ?? -1
  const outcome = await own.undo.step(change, position, undoRequestOf(decisions), tools.noted !== undefined)
  return resultOf(outcome, tools)
}

/** Plans of jobs of which a run works on one item after the other. */
const plans = new WeakMap<JobsTable, readonly RewindItem[]>()

/** Does one operation of rewinding a folder. @throws AppError where that is not possible */
export async function rewindStep(own: Files, { job, item }: UndoWork, tools: Tools): Promise<ItemResult> {
  const plan = plans.get(job) ?? (JSON.parse(job.payload) as { plan: readonly RewindItem[] }).plan
  plans.set(job, plan)
  const planned = plan[item.position]
  if (!planned) throw new AppError('not_found')
  return resultOf(await own.rewind.step(planned, tools.noted !== undefined), tools)
}

async function resultOf({ state, path, code }: UndoOutcome, tools: Tools): Promise<ItemResult> {
  const { tries = 0 } = (tools.noted ?? {}) as { tries?: number }
  // What a killed process was restoring is settled shortly after the start.
  if (tools.noted !== undefined && code === 'gone' && tries < UNSETTLED.tries) {
    await tools.note({ tries: tries + 1 })
    throw new AppError('unavailable', 'it is being settled', { wait: UNSETTLED.wait })
  }
  if (code === 'undone') return { state: 'skipped' }
  if (state === 'failed')
    throw new AppError(OBSTACLES[code ?? ''] ?? ERROR_CODES.find(known => known === code) ?? 'gone')
  return { state: state === 'skipped' ? 'skipped' : 'done', ...(path !== undefined && { target: path }) }
}
