import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type FilePath, joinPath, pathsDownTo, ROOT } from '../../shared/path.ts'
import { isOneOf } from '../db/path-columns.ts'
import type { Db } from '../db/schema.ts'
import type { StepAt, StepRecord } from '../files/change-records.ts'
import type { PlaceNow } from '../files/trash-records.ts'
import { findTrashStep } from './activity.store.ts'
import { toStep } from './change-queries.store.ts'

/** Moves that are followed. */
const MOST_MOVES = 100

/** See `TrashRecords.placeNow`. */
export async function placeNow(db: Db, kept: string): Promise<PlaceNow | undefined> {
  const trashed = await findTrashStep(db, kept)
  if (!trashed) return undefined
  let now: PlaceNow | undefined
  let { place } = trashed
  let since: StepAt = trashed
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    const left = await firstLeaving(db, place, since)
    if (!left) return now
    const came = left.kind === 'trash' ? await restored(db, left) : left
    const folder = came?.kind === 'move' ? came.target : came?.place
    if (!came?.made || folder === undefined) return undefined
    place = joinPath(folder, place.slice(left.place.length) as FilePath)
    now = { place, folder, identity: came.made }
    since = came
  }
  return undefined
}

/** The first step after another one that took a folder above a place away. */
async function firstLeaving(db: Db, place: StepRecord['place'], since: StepAt): Promise<StepRecord | undefined> {
  const folders = pathsDownTo(place).filter(path => path !== ROOT && path !== place)
  if (folders.length === 0) return undefined
  const row = await done(db, since)
    .where(isOneOf(db, 's.place', folders))
    // What was purged out of the trash had left its place before.
    .where(eb =>
      eb.or([eb('s.kind', 'in', ['move', 'trash']), eb.and([eb('s.kind', '=', 'purge'), eb('s.kept', 'is', null)])]),
    )
    .executeTakeFirst()
  return row && toStep(row)
}

/** The step that brought a whole folder back from the trash. */
async function restored(db: Db, trashed: StepRecord): Promise<StepRecord | undefined> {
  if (trashed.kept === undefined) return undefined
  const row = await done(db, trashed)
    .where('s.kept', '=', trashed.kept)
    .where('s.kind', '=', 'restore')
    .where('s.made', '=', trashed.was ?? '')
    .executeTakeFirst()
  return row && toStep(row)
}

/** Steps that happened after another one, in order. */
const done = (db: Db, { change, position }: StepAt) =>
  db
    .selectFrom('change_steps as s')
    .selectAll()
    .where('s.state', 'in', ['done', 'undone'])
    .where(sql`(s.change, s.position) > (${change}, ${position})` as RawBuilder<SqlBool>)
    .orderBy('s.change')
    .orderBy('s.position')
    .limit(1)
