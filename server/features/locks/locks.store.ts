import { type Selectable, sql } from 'kysely'
import { type FilePath, pathsDownTo } from '../../../shared/path.ts'
import type { LocksTable } from '../../db/locks-schema.ts'
import { isAtOrBelow, isOneOf } from '../../db/path-columns.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import { prepared } from '../../db/prepared.ts'
import type { Db } from '../../db/schema.ts'
import type { Lock } from '../../files/lock-records.ts'

const DELETED_AT_ONCE = 500

/** The locks that have not expired. */
const live = (db: Db) =>
  db
    .selectFrom('locks')
    .innerJoin('users', 'users.id', 'locks.user_id')
    .selectAll('locks')
    .select('users.username')
    .where('locks.expires_at', '>', Date.now())
    .orderBy('locks.created_at')
    .orderBy('locks.id')

export async function hasLocks(db: Db): Promise<boolean> {
  return (await anyLock(db, Date.now())) !== undefined
}

const anyLock = prepared((db, now: number) =>
  db.selectFrom('locks').select('id').where('expires_at', '>', now).limit(1),
)

/** See `LockRecords.above`. */
export async function locksAbove(db: Db, place: FilePath): Promise<Lock[]> {
  const rows = await live(db)
    .where(isOneOf(db, 'place', pathsDownTo(place)))
    .execute()
  return rows.map(toLock)
}

/** See `LockRecords.below`. */
export async function locksBelow(db: Db, place: FilePath, limit: number): Promise<Lock[]> {
  const rows = await live(db)
    .where(isAtOrBelow(db, 'place', place))
    .where('place', '!=', toStored(place))
    .limit(limit)
    .execute()
  return rows.map(toLock)
}

/** The number of all locks, and of those of one user. */
export async function countLocks(db: Db, userId: number): Promise<{ all: number; own: number }> {
  const own = sql<number>`coalesce(sum(case when user_id = ${userId} then 1 else 0 end), 0)`
  const row = await db
    .selectFrom('locks')
    .select(({ fn }) => [fn.countAll().as('all'), own.as('own')])
    .executeTakeFirst()
  return { all: Number(row?.all ?? 0), own: Number(row?.own ?? 0) }
}

export async function insertLock(db: Db, lock: Omit<Lock, 'username'>): Promise<void> {
  const { id, token, place, deep, scope, userId, bearer, ownerXml, label, via, wopiId, since, until } = lock
  const times = { created_at: since, refreshed_at: since, expires_at: until }
  const whose = { user_id: userId, bearer, owner_xml: ownerXml, label, via, wopi_id: wopiId ?? null }
  const row = { id, token, place: toStored(place), depth: deep ? 1 : 0, scope, ...whose, ...times }
  await db.insertInto('locks').values(row).execute()
}

export async function extendLock(
  db: Db,
  id: string,
  { now, until, wopiId }: { now: number; until: number; wopiId: string | undefined },
): Promise<void> {
  const set = { refreshed_at: now, expires_at: until, ...(wopiId !== undefined && { wopi_id: wopiId }) }
  await db.updateTable('locks').set(set).where('id', '=', id).execute()
}

export async function deleteLocks(db: Db, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += DELETED_AT_ONCE) {
    const some = ids.slice(at, at + DELETED_AT_ONCE)
    await db.deleteFrom('locks').where('id', 'in', some).execute()
  }
}

/** Deletes the locks of a user: of one session or token with the sessions it began, or of all but one. */
export async function deleteLocksOf(
  db: Db,
  userId: number,
  { only, but }: { only?: string | undefined; but?: string | undefined },
): Promise<void> {
  let query = db.deleteFrom('locks').where('user_id', '=', userId)
  if (only !== undefined)
    query = query.where(({ or, eb }) => or([eb('bearer', '=', only), eb('bearer', 'like', `${only}:%`)]))
  if (but !== undefined) query = query.where('bearer', '!=', but)
  await query.execute()
}

export async function deleteExpiredLocks(db: Db): Promise<void> {
  await db.deleteFrom('locks').where('expires_at', '<=', Date.now()).execute()
}

function toLock(row: Selectable<LocksTable> & { username: string }): Lock {
  const { id, token, scope, username, bearer, label, via } = row
  return {
    id,
    token,
    place: fromStored(row.place) as FilePath,
    deep: row.depth === 1,
    scope,
    userId: row.user_id,
    username,
    bearer,
    ownerXml: row.owner_xml,
    label,
    via,
    ...(row.wopi_id !== null && { wopiId: row.wopi_id }),
    since: Number(row.created_at),
    until: Number(row.expires_at),
  }
}
