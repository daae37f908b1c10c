import type { ChangeStepsTable } from '../db/history-schema.ts'
import { toStored } from '../db/paths.ts'
import { statement } from '../db/prepared.ts'
import type { Db } from '../db/schema.ts'
import type { Step, StepAhead } from '../files/change-records.ts'
import { addSteps, changeOfAction, countUndoable, type StepState, writeSteps } from './changes.store.ts'

/** Ids per statement. */
const BATCH = 500

/**
 * Writes a step before its effect, after those that are done; a second call about the same kept thing corrects it.
 * @returns the change; nothing for a repeated request, whose step an earlier one has written
 */
export async function addAhead(db: Db, { recording, step }: StepAhead): Promise<string | undefined> {
  if (recording.ahead.has(step.kept)) {
    const was = step.was ?? null
    await db
      .updateTable('change_steps')
      .set({ was })
      .where('kept', '=', step.kept)
      .where('state', '=', 'open')
      .execute()
    return recording.change
  }
  await writeSteps(db, recording, recording.takePending())
  const { gesture, job } = recording.origin
  const isRepeatable = gesture !== undefined && job === undefined && step.kind === 'replace'
  const known = isRepeatable ? await changeOfAction(db, recording) : undefined
  if (known !== undefined && (await isWritten(db, known, step))) return undefined
  recording.change = await addSteps(db, recording, [step], { state: 'open' })
  recording.latest.push(step)
  recording.ahead.set(step.kept, step)
  return recording.change
}

/** Whether a step of a change wrote the file that a later one replaces. */
async function isWritten(db: Db, change: string, { place, was }: Step): Promise<boolean> {
  return (await findWritten(db, { change, place: toStored(place), was: was ?? '' })).rows.length > 0
}

const findWritten = statement<{ change: string; place: string; was: string }>(({ db, value }) =>
  db
    .selectFrom('change_steps')
    .select('position')
    .where('change', '=', value('change'))
    .where('place', '=', value('place'))
    .where('made', '=', value('was'))
    .where('kind', 'in', ['make', 'replace'])
    .where('state', '=', 'done')
    .limit(1),
)

/** Completes a step whose effect is done. */
export async function endAhead(db: Db, { kept, made, stamp }: StepAhead['step'], audit?: number): Promise<void> {
  const done = { kept, made: made ?? null, stamp: stamp ?? null }
  await (audit === undefined ? endStep(db, done) : endWithAudit(db, { ...done, audit }))
}

interface Ended {
  kept: string
  made: string | null
  stamp: string | null
}

const endStep = statement<Ended>(({ db, value }) =>
  db
    .updateTable('change_steps')
    .set({ state: 'done', made: value('made'), stamp: value('stamp') })
    .where('kept', '=', value('kept'))
    .where('state', '=', 'open'),
)

const endWithAudit = statement<Ended & { audit: number }>(({ db, value }) =>
  db
    .updateTable('change_steps')
    .set({ state: 'done', made: value('made'), stamp: value('stamp'), audit: value('audit') })
    .where('kept', '=', value('kept'))
    .where('state', '=', 'open'),
)

/** Links the steps of a change that keep things with a row of the audit log. */
export async function linkAudit(
  db: Db,
  change: string | undefined,
  kept: readonly string[],
  audit: number,
): Promise<void> {
  if (change === undefined) return
  const [only, ...more] = kept
  if (only !== undefined && more.length === 0) return void (await linkOne(db, { change, kept: only, audit }))
  for (let at = 0; at < kept.length; at += BATCH) {
    await db
      .updateTable('change_steps')
      .set({ audit })
      .where('kept', 'in', kept.slice(at, at + BATCH))
      .where('change', '=', change)
      .where('audit', 'is', null)
      .execute()
  }
}

const linkOne = statement<{ change: string; kept: string; audit: number }>(({ db, value }) =>
  db
    .updateTable('change_steps')
    .set({ audit: value('audit') })
    .where('kept', '=', value('kept'))
    .where('change', '=', value('change'))
    .where('audit', 'is', null),
)

/** A step that a process left open. */
export type OpenStep = Pick<ChangeStepsTable, 'change' | 'position' | 'kind' | 'place' | 'made'> & { kept: string }

/** Steps of restores that are open, whether or not their operation is under way. */
export async function openRestores(db: Db): Promise<OpenStep[]> {
  return (
    await db
      .selectFrom('change_steps')
      .select(['change', 'position', 'kind', 'place', 'made', 'kept'])
      .where('state', '=', 'open')
      .where('kind', '=', 'restore')
      .execute()
  ).flatMap(({ kept, ...step }) => (kept === null ? [] : [{ ...step, kept }]))
}

/** The step that keeps a thing was done. */
export async function endKeptStep(db: Db, kept: string): Promise<void> {
  await setDone(db, { kept })
}

const setDone = statement<{ kept: string }>(({ db, value }) =>
  db.updateTable('change_steps').set({ state: 'done' }).where('kept', '=', value('kept')).where('state', '=', 'open'),
)

/**
 * Removes the step that was to keep a thing, and its change if that has no other.
 * @param states also `done` where the thing was taken back at once
 */
export async function dropKeptStep(db: Db, kept: string, states: readonly StepState[] = ['open']): Promise<void> {
  const rows = await db
    .deleteFrom('change_steps')
    .where('kept', '=', kept)
    .where('state', 'in', states)
    .returning('change')
    .execute()
  for (const { change } of rows) {
    await db
      .updateTable('changes')
      .set(eb => ({ undoable: eb('undoable', '-', 1) }))
      .where('id', '=', change)
      .where('undoable', '>', 0)
      .execute()
    const left = db.selectFrom('change_steps').select('position').where('change', '=', change)
    await db
      .deleteFrom('changes')
      .where('id', '=', change)
      .where(eb => eb.not(eb.exists(left)))
      .execute()
  }
}

/** The step whose thing is neither here nor there. */
export async function loseKeptStep(db: Db, kept: string): Promise<void> {
  const rows = await db
    .updateTable('change_steps')
    .set({ state: 'lost' })
    .where('kept', '=', kept)
    .where('state', '=', 'open')
    .returning('change')
    .execute()
  for (const { change } of rows) await countUndoable(db, change, -1)
}
