import type { VersionReason } from '../../shared/api/versions.ts'
import { type FilePath, joinPath } from '../../shared/path.ts'
import { fromStored, storedBelow, toStored } from '../db/paths.ts'
import type { Db } from '../db/schema.ts'
import { storable } from '../db/text.ts'
import type { FileNow, NewVersion, VersionedObject, VersionRecord } from '../files/version-records.ts'
import { areaId, atOf, type JoinedRow, joined, type KeptRow, toRow } from './kept.store.ts'
import { ulid } from './ulid.ts'

type Listed = VersionRecord & { objectPlace: FilePath }

/** Records a content that is about to give way, and the object that it belongs to. */
export async function insertVersion(db: Db, version: NewVersion, state: 'open' | 'kept' = 'open'): Promise<void> {
  const area = await areaId(db, version.at)
  await db.transaction().execute(async transaction => {
    await transaction.deleteFrom('kept').where('id', '=', version.id).where('state', '=', 'open').execute()
    const object = await objectFor(transaction, { identity: version.was, place: version.place })
    await transaction
      .insertInto('kept')
      .values({
        id: version.id,
        kind: 'version',
        area,
        name: toStored(version.at.name),
        place: toStored(version.place),
        identity: version.identity,
        is_folder: 0,
        size: version.size,
        entries: null,
        modified: version.modified,
        mode: version.mode,
        user_id: version.userId,
        username: storable(version.username),
        at: version.replacedAt,
        reason: version.reason,
        state,
        gone_at: null,
        gone_why: null,
        object,
        was: version.was,
        label: null,
        sha256: null,
        change: version.change ?? null,
      })
      .execute()
  })
}

/** Records what a version really is. */
export async function correctKept(
  db: Db,
  id: string,
  { identity, size, modified }: Pick<FileNow, 'identity' | 'size' | 'modified'>,
): Promise<void> {
  await db.updateTable('kept').set({ identity, size, modified }).where('id', '=', id).execute()
}

/** The object of a file: by its identity, or else by its path, where another program may have replaced the file. */
export async function findObject(
  db: Db,
  { identity, place }: Pick<FileNow, 'identity' | 'place'>,
): Promise<VersionedObject | undefined> {
  const all = () => db.selectFrom('objects').selectAll()
  const row =
    (await all().where('identity', '=', identity).executeTakeFirst()) ??
    (await all().where('place', '=', toStored(place)).orderBy('seen_at', 'desc').executeTakeFirst())
  if (!row) return undefined
  const { id, size, modified } = row
  return { id, identity: row.identity, place: fromStored(row.place) as FilePath, size, modified }
}

async function objectFor(db: Db, file: Pick<FileNow, 'identity' | 'place'>): Promise<string> {
  const known = await findObject(db, file)
  if (known) return known.id
  const id = ulid()
  const place = toStored(file.place)
  const row = { id, identity: file.identity, place, size: null, modified: null, seen_at: Date.now() }
  await db.insertInto('objects').values(row).execute()
  return id
}

/**
 * A content gave way: its object is the file that is there now. Versions of the file that took the place, if it had any,
 * are the object's, too.
 */
export async function settleVersion(db: Db, id: string, now: FileNow): Promise<void> {
  await db.transaction().execute(async transaction => {
    const row = await transaction.selectFrom('kept').select('object').where('id', '=', id).executeTakeFirst()
    const changed = transaction.updateTable('kept').set({ state: 'kept' })
    await changed.where('id', '=', id).where('state', '=', 'open').execute()
    if (row?.object) await become(transaction, row.object, now)
  })
}

async function become(db: Db, object: string, { identity, place, size, modified }: FileNow): Promise<void> {
  await absorb(db, object, identity)
  const now = { identity, place: toStored(place), size, modified, seen_at: Date.now() }
  await db.updateTable('objects').set(now).where('id', '=', object).execute()
}

/** Gives the versions of the object with an identity to another object, which stays the only one. */
async function absorb(db: Db, object: string, identity: string): Promise<void> {
  const other = await db
    .selectFrom('objects')
    .select('id')
    .where('identity', '=', identity)
    .where('id', '!=', object)
    .executeTakeFirst()
  if (!other) return
  await db.updateTable('kept').set({ object }).where('object', '=', other.id).execute()
  await db.deleteFrom('objects').where('id', '=', other.id).execute()
}

/** See `VersionRecords.moved`. */
export async function moveObjects(
  db: Db,
  from: FilePath,
  to: FilePath,
  was: string,
  now: FileNow | undefined,
): Promise<void> {
  const touched = await db
    .selectFrom('objects')
    .select(['id', 'place', 'identity'])
    .where(where =>
      where.or([
        where('identity', '=', was),
        where('place', '=', toStored(from)),
        ...storedBelow(from).map(below =>
          where.and([where('place', '>=', below), where('place', '<', `${below.slice(0, -1)}0`)]),
        ),
      ]),
    )
    .execute()
  if (touched.length === 0) return
  await db.transaction().execute(async transaction => {
    for (const { id, place, identity } of touched) {
      const old = fromStored(place)
      if (identity === was && now) {
        await moveOne(transaction, id, to, now)
        continue
      }
      if (old !== from && !old.startsWith(`${from}/`)) continue
      const moved = toStored(old === from ? to : joinPath(to, old.slice(from.length) as FilePath))
      await transaction.updateTable('objects').set({ place: moved }).where('id', '=', id).execute()
    }
  })
}

/** A file that was copied to take the place of another is that file's newest content: both have one line of versions. */
async function moveOne(db: Db, id: string, to: FilePath, now: FileNow): Promise<void> {
  await absorb(db, id, now.identity)
  const { identity, size, modified } = now
  await db
    .updateTable('objects')
    .set({ identity, place: toStored(to), size, modified, seen_at: Date.now() })
    .where('id', '=', id)
    .execute()
}

const versions = (db: Db) =>
  joined(db)
    .leftJoin('objects', 'objects.id', 'kept.object')
    .select('objects.place as objectPlace')
    .where('kept.kind', '=', 'version')
    .where('kept.state', '=', 'kept')

/** The versions of an object, the newest first. */
export async function listVersions(
  db: Db,
  object: string,
  before: string | undefined,
  limit: number,
): Promise<Listed[]> {
  const all = versions(db).where('kept.object', '=', object)
  const query = before === undefined ? all : all.where('kept.id', '<', before)
  return (await query.orderBy('kept.id', 'desc').limit(limit).execute()).map(toVersion)
}

export async function findVersion(db: Db, id: string): Promise<Listed | undefined> {
  const row = await versions(db).where('kept.id', '=', id).executeTakeFirst()
  return row && toVersion(row)
}

export async function countPinned(db: Db, object: string): Promise<number> {
  const row = await versions(db)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kept.object', '=', object)
    .where('kept.pinned', '=', 1)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

export async function changeVersion(
  db: Db,
  id: string,
  { label, pinned }: { label: string | null; pinned: boolean },
): Promise<void> {
  const now = { label: label === null ? null : storable(label), pinned: pinned ? 1 : 0 }
  await db.updateTable('kept').set(now).where('id', '=', id).execute()
}

function toVersion(row: JoinedRow & { objectPlace: string | null }): Listed {
  const place = fromStored(row.place) as FilePath
  return {
    id: row.id,
    at: atOf(row),
    place,
    object: row.object ?? '',
    identity: row.identity,
    size: Number(row.size),
    modified: Number(row.modified),
    mode: row.mode,
    userId: row.user_id,
    username: row.username,
    replacedAt: Number(row.at),
    reason: row.reason as VersionReason,
    label: row.label ?? undefined,
    pinned: row.pinned === 1,
    objectPlace: row.objectPlace === null ? place : (fromStored(row.objectPlace) as FilePath),
  }
}

const keptVersions = (db: Db) => joined(db).where('kept.kind', '=', 'version').where('kept.state', '=', 'kept')

/** Objects that have versions, in order, from the one after an id. */
export async function objectsWithVersions(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('kept')
    .select('object')
    .distinct()
    .where('kind', '=', 'version')
    .where('state', '=', 'kept')
    .where('object', '>', after)
    .orderBy('object')
    .limit(limit)
    .execute()
  return rows.flatMap(({ object }) => object ?? [])
}

/** All versions of an object. */
export async function versionRows(db: Db, object: string): Promise<KeptRow[]> {
  return (await keptVersions(db).where('kept.object', '=', object).execute()).map(toRow)
}

/** The newest version of each file that has any in an area. */
export async function lastVersions(db: Db, area: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('kept')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('kind', '=', 'version')
    .where('state', '=', 'kept')
    .where('area', '=', area)
    .groupBy('object')
    .execute()
  return new Set(rows.map(({ id }) => id))
}
