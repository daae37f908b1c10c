import { type Selectable, sql } from 'kysely'
import { type FilePath, pathsDownTo } from '../../shared/path.ts'
import type { ObjectsTable } from '../db/history-schema.ts'
import { isOneOf } from '../db/path-columns.ts'
import { fromStored } from '../db/paths.ts'
import type { Db } from '../db/schema.ts'
import type { MarkedObject } from '../files/marked-object.ts'

/** Milliseconds after which it is noted again that an object is where its record says. */
const SEEN_AGAIN = 3_600_000
/** Things in the trash that are compared with one object. */
const CANDIDATES = 8

type Row = Pick<Selectable<ObjectsTable>, 'id' | 'identity' | 'place' | 'seen_at'>

export const toMarked = ({ id, identity, place, seen_at }: Row): MarkedObject => ({
  id,
  identity,
  place: fromStored(place) as FilePath,
  seenAt: Number(seen_at),
})

/** Columns of `objects` for `toMarked`. */
export const COLUMNS = ['objects.id', 'objects.identity', 'objects.place', 'objects.seen_at'] as const

export async function markedOf(db: Db, identity: string): Promise<MarkedObject | undefined> {
  const row = await db.selectFrom('objects').select(COLUMNS).where('identity', '=', identity).executeTakeFirst()
  return row && toMarked(row)
}

/** See `MarkRecords.objectsAt`. */
export async function markedAt(db: Db, place: FilePath): Promise<MarkedObject[]> {
  const query = db
    .selectFrom('objects')
    .select(COLUMNS)
    .where(isOneOf(db, 'place', [place]))
  return (await query.orderBy('seen_at', 'desc').limit(CANDIDATES).execute()).map(toMarked)
}

/** See `MarkRecords.seen`. */
export async function noteSeen(db: Db, objects: readonly MarkedObject[]): Promise<void> {
  const now = Date.now()
  const due = objects.filter(({ seenAt }) => seenAt < now - SEEN_AGAIN).map(({ id }) => id)
  if (due.length === 0) return
  await db.updateTable('objects').set({ seen_at: now }).where('id', 'in', due).execute()
}

/** See `MarkRecords.inTrash`. */
export async function trashWith(
  db: Db,
  { identity, place }: Pick<MarkedObject, 'identity' | 'place'>,
): Promise<string[]> {
  const all = () =>
    db
      .selectFrom('kept')
      .select('id')
      .where('kind', '=', 'trash')
      .where('state', '=', 'kept')
      .orderBy('id', 'desc')
      .limit(CANDIDATES)
  const own = await all().where('identity', '=', identity).execute()
  const folders = await all()
    .where(isOneOf(db, 'place', pathsDownTo(place)))
    .where('is_folder', '=', 1)
    .execute()
  return [...new Set([...own, ...folders].map(({ id }) => id))]
}

export async function listStars(db: Db, userId: number): Promise<MarkedObject[]> {
  const rows = await db
    .selectFrom('stars')
    .innerJoin('objects', 'objects.id', 'stars.object')
    .select(COLUMNS)
    .where('stars.user_id', '=', userId)
    .orderBy('stars.position')
    .orderBy('stars.object')
    .execute()
  return rows.map(toMarked)
}

/** See `MarkRecords.star`. */
export async function addStar(db: Db, userId: number, object: string): Promise<void> {
  await db
    .insertInto('stars')
    .columns(['user_id', 'object', 'position'])
    .expression(
      db
        .selectFrom('stars')
        .select(({ fn, val }) => [
          val(userId).as('user_id'),
          val(object).as('object'),
          sql<number>`${fn.coalesce(fn.max('position'), sql<number>`0`)} + 1`.as('position'),
        ])
        .where('user_id', '=', userId),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function removeStars(db: Db, userId: number, objects: readonly string[]): Promise<void> {
  if (objects.length === 0) return
  await db.deleteFrom('stars').where('user_id', '=', userId).where('object', 'in', objects).execute()
}

/** See `MarkRecords.order`. */
export async function orderStars(db: Db, userId: number, objects: readonly string[]): Promise<void> {
  await db.transaction().execute(async transaction => {
    for (const [position, object] of objects.entries()) {
      const star = transaction.updateTable('stars').set({ position }).where('user_id', '=', userId)
      await star.where('object', '=', object).where('position', '!=', position).execute()
    }
  })
}

/** Deletes objects to which nothing belongs any more. */
export async function forgetObjects(db: Db, seenBefore: number): Promise<void> {
  await db
    .deleteFrom('objects')
    .where('seen_at', '<', seenBefore)
    .where(({ and, not, exists, selectFrom, ref }) =>
      and([
        not(exists(selectFrom('kept').select('kept.id').where('kept.object', '=', ref('objects.id')))),
        not(exists(selectFrom('stars').select('stars.user_id').where('stars.object', '=', ref('objects.id')))),
        not(exists(selectFrom('recents').select('recents.user_id').where('recents.object', '=', ref('objects.id')))),
        not(exists(selectFrom('object_tags').select('tag').where('object_tags.object', '=', ref('objects.id')))),
        not(exists(selectFrom('notes').select('notes.at').where('notes.object', '=', ref('objects.id')))),
        not(exists(selectFrom('comments').select('comments.id').where('comments.object', '=', ref('objects.id')))),
      ]),
    )
    .execute()
}
