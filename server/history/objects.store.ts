import { type FilePath, isWithin, joinPath } from '../../shared/path.ts'
import { isAtOrBelow, isPath, pathValues } from '../db/path-columns.ts'
import { fromStored, toStored } from '../db/paths.ts'
import { prepared, statement } from '../db/prepared.ts'
import type { Db } from '../db/schema.ts'
import type { FileNow } from '../files/change-records.ts'
import type { VersionedObject } from '../files/version-records.ts'
import { leftAmong, type SeenAt } from './left-objects.store.ts'
import { moveRemarks } from './remarks.store.ts'
import { ulid } from './ulid.ts'

type Found = Pick<FileNow, 'identity' | 'place'>

/** Objects of one place that are compared with a file. */
const CANDIDATES = 8

/**
 * The object of a file: by its identity, or else by its path, where another program may have replaced the file. One that
 * was deleted or moved away is not it.
 */
export async function findObject(db: Db, { identity, place }: Found): Promise<VersionedObject | undefined> {
  const { rows } = await byIdentityOrPlace(db, { identity, ...pathValues(db, place) })
  const [first] = rows
  if (first === undefined || first.identity === identity) return first && toObject(first)
  const candidates = rows.map(toSeen)
  const left = await leftAmong(db, candidates)
  return candidates.find(candidate => !left.has(candidate))
}

const byIdentityOrPlace = statement<{ identity: string; stored: string; start: string }, ObjectRow>(({ db, value }) => {
  const isThere = isPath(db, 'place', { stored: value('stored'), start: value('start') })
  return db
    .selectFrom('objects')
    .selectAll()
    .where(eb => eb.or([eb('identity', '=', value('identity')), isThere]))
    .orderBy(eb => eb.case().when('identity', '=', value('identity')).then(0).else(1).end())
    .orderBy('seen_at', 'desc')
    .limit(CANDIDATES)
})

/** A file is about to be deleted: the object of its path, where another program replaced the file, goes with it. */
export async function followDeleted(db: Db, now: Found): Promise<void> {
  const object = await findObject(db, now)
  if (object && object.identity !== now.identity) await identify(db, object.id, now)
}

/** The object whose newest content has an identity. */
export async function objectOf(db: Db, identity: string): Promise<VersionedObject | undefined> {
  const row = await byIdentity(db, identity)
  return row && toObject(row)
}

const byIdentity = prepared((db, identity: string) =>
  db.selectFrom('objects').selectAll().where('identity', '=', identity),
)

interface ObjectRow {
  id: string
  identity: string
  place: string
  size: number | null
  modified: number | null
  seen_at: number
}

const toObject = ({ id, identity, place, size, modified }: ObjectRow): VersionedObject => ({
  id,
  identity,
  place: fromStored(place) as FilePath,
  size,
  modified,
})

const toSeen = (row: ObjectRow) => ({ ...toObject(row), seenAt: Number(row.seen_at) })

/** Adds an object. @returns its id; that of the same object where another server has added it just now */
export async function addObject(db: Db, { identity, place }: Found): Promise<string> {
  const [added] = (await putObject(db, { id: ulid(), identity, place: toStored(place), now: Date.now() })).rows
  if (!added) throw new Error('the object was not added')
  return added.id
}

const putObject = statement<{ id: string; identity: string; place: string; now: number }, { id: string }>(
  ({ db, value }) =>
    db
      .insertInto('objects')
      .values({
        id: value('id'),
        identity: value('identity'),
        place: value('place'),
        size: null,
        modified: null,
        seen_at: value('now'),
      })
      // The update locks the row, and returns it.
      .onConflict(conflict => conflict.column('identity').doUpdateSet({ seen_at: value('now') }))
      .returning('id'),
)

/** Sets what an object is now. If that was another object, both become one. */
export async function identify(
  db: Db,
  object: string,
  { identity, place, size, modified }: Found & Partial<FileNow>,
): Promise<void> {
  await absorb(db, object, identity)
  const now = { id: object, identity, place: toStored(place), now: Date.now() }
  await (size === undefined || modified === undefined ? setPlaced(db, now) : setWritten(db, { ...now, size, modified }))
}

interface Placed {
  id: string
  identity: string
  place: string
  now: number
}

const setPlaced = statement<Placed>(({ db, value }) =>
  db
    .updateTable('objects')
    .set({ identity: value('identity'), place: value('place'), seen_at: value('now') })
    .where('id', '=', value('id')),
)

const setWritten = statement<Placed & { size: number; modified: number }>(({ db, value }) => {
  const now = { identity: value('identity'), place: value('place'), seen_at: value('now') }
  const facts = { size: value('size'), modified: value('modified') }
  return db
    .updateTable('objects')
    .set({ ...now, ...facts })
    .where('id', '=', value('id'))
})

/** Gives what belongs to the object with an identity to another object, which stays the only one. */
async function absorb(db: Db, object: string, identity: string): Promise<void> {
  const [other] = (await findOther(db, { identity, object })).rows
  if (!other) return
  await db.updateTable('kept').set({ object }).where('object', '=', other.id).execute()
  for (const table of ['stars', 'recents'] as const) {
    const users = db.selectFrom(table).select('user_id').where('object', '=', object)
    await db
      .updateTable(table)
      .set({ object })
      .where('object', '=', other.id)
      .where('user_id', 'not in', users)
      .execute()
    await db.deleteFrom(table).where('object', '=', other.id).execute()
  }
  const tags = db.selectFrom('object_tags').select('tag').where('object', '=', object)
  await db
    .updateTable('object_tags')
    .set({ object })
    .where('object', '=', other.id)
    .where('tag', 'not in', tags)
    .execute()
  await db.deleteFrom('object_tags').where('object', '=', other.id).execute()
  await moveRemarks(db, other.id, object)
  await db.deleteFrom('objects').where('id', '=', other.id).execute()
}

const findOther = statement<{ identity: string; object: string }, { id: string }>(({ db, value }) =>
  db
    .selectFrom('objects')
    .select('id')
    .where('identity', '=', value('identity'))
    .where('id', '!=', value('object'))
    .limit(1),
)

/** Objects at a place of the served root, or below it. */
async function objectsWithin(db: Db, place: FilePath): Promise<(SeenAt & { id: string })[]> {
  const rows = await db
    .selectFrom('objects')
    .select(['id', 'place', 'identity', 'seen_at'])
    .where(isAtOrBelow(db, 'place', place))
    .execute()
  return rows.map(({ id, identity, place: at, seen_at }) => ({
    id,
    identity,
    place: fromStored(at) as FilePath,
    seenAt: Number(seen_at),
  }))
}

/** See `VersionRecords.moved`. What was deleted there before stays behind. */
export async function moveObjects(
  db: Db,
  from: FilePath,
  was: string,
  find: () => Promise<FileNow | undefined>,
): Promise<void> {
  const [moved, inside] = [await objectOf(db, was), await objectsWithin(db, from)]
  if (!moved && inside.length === 0) return
  const now = await find()
  if (!now) return
  const left = await leftAmong(db, inside, { moves: false })
  await db.transaction().execute(async transaction => {
    if (moved) await identify(transaction, moved.id, now)
    for (const object of inside) {
      const { id, place } = object
      // Next to the moved object, another one of this path is not there any more.
      if (!left.has(object) && (!moved || place !== from))
        await setPlace(transaction, id, placeIn(place, from, now.place))
    }
  })
}

/** See `VersionRecords.returned`. */
export async function returnObjects(
  db: Db,
  from: FilePath,
  to: FilePath,
  identityAt: (place: FilePath) => Promise<string | undefined>,
): Promise<void> {
  for (const { id, place, identity } of await objectsWithin(db, from)) {
    const now = placeIn(place, from, to)
    if ((await identityAt(now)) === identity) await setPlace(db, id, now)
  }
}

/** See `VersionRecords.copied`. Another object that has come to such a place since stays as it is. */
export async function replaceObjects(
  db: Db,
  from: FilePath,
  find: (place: FilePath) => Promise<{ was: string; now: FileNow } | undefined>,
): Promise<void> {
  for (const { id, place, identity } of await objectsWithin(db, from)) {
    const copy = await find(place)
    if (copy?.was === identity) await db.transaction().execute(one => identify(one, id, copy.now))
  }
}

const placeIn = (place: FilePath, from: FilePath, to: FilePath): FilePath =>
  isWithin(place, from) && place !== from ? joinPath(to, place.slice(from.length) as FilePath) : to

async function setPlace(db: Db, id: string, place: FilePath): Promise<void> {
  await db
    .updateTable('objects')
    .set({ place: toStored(place), seen_at: Date.now() })
    .where('id', '=', id)
    .execute()
}
