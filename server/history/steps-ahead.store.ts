import type { ChangeStepsTable } from '../db/history-schema.ts'
import { toStored } from '../db/paths.ts'
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
  const row = await db
    .selectFrom('change_steps')
    .select('position')
    .where('change', '=', change)
    .where('place', '=', toStored(place))
    .where('made', '=', was ?? '')
    .where('kind', 'in', ['make', 'replace'])
    .where('state', '=', 'done')
    .executeTakeFirst()
  return row !== undefined
}

/** Completes a step whose effect is done. */
export async function endAhead(db: Db, { kept, made, stamp }: StepAhead['step'], audit?: number): Promise<void> {
  await db
    .updateTable('change_steps')
    .set({
      state: 'done',
      made: made ?? null,
      stamp: stamp ?? null,
      ...(audit !== undefined && { audit }),
    })
    .where('kept', '=', kept)
    .where('state', '=', 'open')
    .execute()
}

/** Links the steps of a change that keep things with a row of the audit log. */
export async function linkAudit(
  db: Db,
  change: string | undefined,
  kept: readonly string[],
  audit: number,
): Promise<void> {
  if (change === undefined) return
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
  await db
    .updateTable('change_steps')
    .set({ state: 'done' })
    .where('kept', '=', kept)
    .where('state', '=', 'open')
    .execute()
}

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
