import { type FilePath, nameOf, parentOf } from '../../shared/path.ts'
import { isAtOrBelow } from '../db/path-columns.ts'
import { fromStored, toStored } from '../db/paths.ts'
import type { Db } from '../db/schema.ts'
import { common, factsOf, inTransaction, isUndoable, NAMES } from './changes.store.ts'

/** How much was forgotten. */
export interface Forgotten {
  steps: number
  versions: number
}

/** Changes whose steps are forgotten in one transaction. */
const AT_ONCE = 200
const DAY = 86_400_000

/**
 * Forgets who changed what at a path and below it until a time: the recorded steps there, and who made the versions, and
 * their names. What was kept stays, and so does the audit log.
 */
export async function forgetHistory(db: Db, path: FilePath, before: number): Promise<Forgotten> {
  let steps = 0
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    const changes = await changesAt(db, path, before)
    count = changes.length
    await inTransaction(db, async transaction => {
      for (const change of changes) steps += await forgetSteps(transaction, change, path)
    })
  }
  return { steps, versions: await forgetNames(db, path, before) }
}

/** Changes that ended before a time, with steps at a path or below it. */
async function changesAt(db: Db, path: FilePath, before: number): Promise<string[]> {
  const rows = await stepsAt(db, path)
    .innerJoin('changes', 'changes.id', 'change_steps.change')
    .select('change')
    .distinct()
    .where('ended_at', '<', before)
    .orderBy('change')
    .limit(AT_ONCE)
    .execute()
  return rows.map(({ change }) => change)
}

/** Steps under way are not among them: they decide what becomes of a file after a crash. */
const stepsAt = (db: Db, path: FilePath) =>
  db
    .selectFrom('change_steps')
    .where('change_steps.state', '!=', 'open')
    .where(({ or }) => or([isAtOrBelow(db, 'place', path), isAtOrBelow(db, 'target', path)]))

/** @returns the number of steps */
async function forgetSteps(db: Db, change: string, path: FilePath): Promise<number> {
  const found = await stepsAt(db, path)
    .select(['position', 'change_steps.kind', 'kept', 'change_steps.state'])
    .where('change', '=', change)
    .execute()
  for (const { position } of found)
    await db.deleteFrom('change_steps').where('change', '=', change).where('position', '=', position).execute()
  const undone = found.filter(
    ({ kind, kept, state }) => state === 'done' && isUndoable({ kind, ...(kept !== null && { kept }) }),
  )
  await describeAgain(db, change, undone.length)
  return found.length
}

/** Lets a change say only what is left of it; one without steps goes. @param undoable steps fewer that can be undone */
async function describeAgain(db: Db, change: string, undoable: number): Promise<void> {
  const left = await db
    .selectFrom('change_steps')
    .select(['position', 'place', 'target'])
    .where('change', '=', change)
    .orderBy('position')
    .execute()
  const last = left.at(-1)
  if (!last) return void (await db.deleteFrom('changes').where('id', '=', change).execute())
  const places = left.flatMap(({ place, target }) => (target === null ? [place] : [place, target])).map(pathOf)
  const names = left.slice(0, NAMES).map(({ place, target }) => nameOf(pathOf(target ?? place)))
  // Whatever still adds a step begins another change, and does not take a position that is in use.
  await db
    .updateTable('changes')
    .set(eb => ({
      gesture: null,
      job: null,
      folder: toStored(places.map(parentOf).reduce(common)),
      facts: factsOf(names),
      steps: eb
        .case()
        .when('ended_at', '<', Date.now() - DAY)
        .then(left.length)
        .else(last.position + 1)
        .end(),
      undoable: eb
        .case()
        .when('undoable', '>', undoable)
        .then(eb('undoable', '-', undoable))
        .else(0)
        .end(),
    }))
    .where('id', '=', change)
    .execute()
}

const pathOf = (stored: string) => fromStored(stored) as FilePath

async function forgetNames(db: Db, path: FilePath, before: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('kept')
    .set({ user_id: 0, username: '', label: null })
    .where('kind', '=', 'version')
    .where('state', '!=', 'open')
    .where('at', '<', before)
    .where(eb => eb.or([eb('username', '!=', ''), eb('label', 'is not', null)]))
    .where(isAtOrBelow(db, 'place', path))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
