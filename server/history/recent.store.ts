import type { Db } from '../db/schema.ts'
import type { RecentTimes } from '../files/mark-records.ts'
import type { MarkedObject } from '../files/marked-object.ts'
import { LIMITS } from '../limits.ts'
import { toMarked } from './marks.store.ts'
import { addObject, identify, objectOf } from './objects.store.ts'

/** A file that a user opened or changed, to be written. */
export interface NotedFile extends RecentTimes {
  identity: string
  place: MarkedObject['place']
  /** Identities that it had before, the latest last. */
  was: readonly string[]
}

/** What a user opened or changed. */
export async function listRecent(db: Db, userId: number): Promise<(MarkedObject & RecentTimes)[]> {
  const rows = await db
    .selectFrom('recents')
    .innerJoin('objects', 'objects.id', 'recents.object')
    .select(['objects.id', 'objects.identity', 'objects.place', 'objects.seen_at', 'opened_at', 'changed_at'])
    .where('user_id', '=', userId)
    .execute()
  return rows.map(({ opened_at, changed_at, ...object }) => ({
    ...toMarked(object),
    ...(opened_at !== null && { openedAt: Number(opened_at) }),
    ...(changed_at !== null && { changedAt: Number(changed_at) }),
  }))
}

/** Writes what a user opened or changed, and forgets the oldest beyond the limit. A deleted user has nothing. */
export async function writeRecent(db: Db, userId: number, files: readonly NotedFile[]): Promise<void> {
  await db.transaction().execute(async transaction => {
    // A transaction that begins with a write waits for those of other processes.
    const user = await transaction
      .updateTable('users')
      .set(eb => ({ remember_opened: eb.ref('remember_opened') }))
      .where('id', '=', userId)
      .returning('remember_opened')
      .executeTakeFirst()
    if (!user) return
    const isWanted = ({ changedAt }: NotedFile) => changedAt !== undefined || user.remember_opened === 1
    for (const file of files.filter(isWanted)) {
      await writeOne(transaction, userId, user.remember_opened === 1 ? file : { ...file, openedAt: undefined })
    }
    for (const column of ['opened_at', 'changed_at'] as const) await trim(transaction, userId, column)
    await transaction
      .deleteFrom('recents')
      .where('user_id', '=', userId)
      .where('opened_at', 'is', null)
      .where('changed_at', 'is', null)
      .execute()
  })
}

interface Written extends Omit<NotedFile, 'openedAt'> {
  openedAt?: number | undefined
}

async function writeOne(db: Db, userId: number, { openedAt, changedAt, ...file }: Written): Promise<void> {
  const times = {
    ...(openedAt !== undefined && { opened_at: openedAt }),
    ...(changedAt !== undefined && { changed_at: changedAt }),
  }
  await db
    .insertInto('recents')
    .values({ user_id: userId, object: await objectFor(db, file), opened_at: null, changed_at: null, ...times })
    .onConflict(conflict => conflict.columns(['user_id', 'object']).doUpdateSet(times))
    .execute()
}

/** The object of a file, which may be recorded with a former content. */
async function objectFor(db: Db, { identity, place, was }: Omit<NotedFile, keyof RecentTimes>): Promise<string> {
  const known = await objectOf(db, identity)
  if (known) return known.id
  for (const former of was.toReversed()) {
    const object = await objectOf(db, former)
    if (!object) continue
    await identify(db, object.id, { identity, place })
    return object.id
  }
  return addObject(db, { identity, place })
}

async function trim(db: Db, userId: number, column: 'opened_at' | 'changed_at'): Promise<void> {
  const latest = db
    .selectFrom('recents')
    .select('object')
    .where('user_id', '=', userId)
    .where(column, 'is not', null)
    .orderBy(column, 'desc')
    .limit(LIMITS.recents)
  await db
    .updateTable('recents')
    .set({ [column]: null })
    .where('user_id', '=', userId)
    .where(column, 'is not', null)
    .where('object', 'not in', latest)
    .execute()
}

export async function clearRecent(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('recents').where('user_id', '=', userId).execute()
}

export async function remembers(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('users').select('remember_opened').where('id', '=', userId).executeTakeFirst()
  return row?.remember_opened === 1
}

export async function setRemembers(db: Db, userId: number, isOn: boolean): Promise<void> {
  await db
    .updateTable('users')
    .set({ remember_opened: isOn ? 1 : 0 })
    .where('id', '=', userId)
    .execute()
}
