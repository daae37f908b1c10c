import type { VersionReason } from '../../shared/api/versions.ts'
import type { FilePath } from '../../shared/path.ts'
import type { KeptTable } from '../db/history-schema.ts'
import { insertRow } from '../db/insert-row.ts'
import { isOneOf } from '../db/path-columns.ts'
import { fromStored, toStored } from '../db/paths.ts'
import { prepared, statement } from '../db/prepared.ts'
import type { Db } from '../db/schema.ts'
import { storable } from '../db/text.ts'
import type { FileNow, StepAhead } from '../files/change-records.ts'
import type { NewVersion, VersionRecord } from '../files/version-records.ts'
import { inTransaction } from './changes.store.ts'
import { areaId, atOf, type JoinedRow, joined, type KeptRow, toRow } from './kept.store.ts'
import { addObject, findObject, identify } from './objects.store.ts'
import { addAhead } from './steps-ahead.store.ts'

type Listed = VersionRecord & { objectPlace: FilePath }

/**
 * Records a content that is about to give way, and the object that it belongs to.
 * @param ahead the step of a change that it is
 */
export async function beginVersion(
  db: Db,
  version: NewVersion & Pick<KeptTable, 'area'>,
  ahead?: StepAhead,
): Promise<void> {
  await db.transaction().execute(async transaction => {
    if (!isFirst(version.id, ahead))
      await transaction.deleteFrom('kept').where('id', '=', version.id).where('state', '=', 'open').execute()
    const change = ahead && (await addAhead(transaction, ahead))
    await insertVersion(transaction, { ...version, state: 'open', change })
  })
}

/** Whether no earlier call can have recorded the version: the recording has its step then, unless a request is repeated. */
const isFirst = (id: string, ahead: StepAhead | undefined): boolean =>
  ahead !== undefined && ahead.recording.origin.gesture === undefined && !ahead.recording.ahead.has(id)

/** Records a version that was found. */
export async function adoptVersion(db: Db, version: NewVersion): Promise<void> {
  const area = await areaId(db, version.at)
  await inTransaction(db, transaction => insertVersion(transaction, { ...version, area, state: 'kept' }))
}

async function insertVersion(db: Db, version: NewVersion & Pick<KeptTable, 'area' | 'state'>): Promise<void> {
  const file = { identity: version.was, place: version.place }
  const object = (await findObject(db, file))?.id ?? (await addObject(db, file))
  await insertRow(db, 'kept', {
    id: version.id,
    kind: 'version',
    area: version.area,
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
    state: version.state,
    gone_at: null,
    gone_why: null,
    object,
    was: version.was,
    label: null,
    sha256: null,
    change: version.change ?? null,
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

/**
 * A content gave way: its object is the file that is there now, unless that gave way to another one already. Versions of
 * the file that took the place, if it had any, are the object's, too. The caller has a transaction open.
 */
export async function completeVersion(db: Db, id: string, now: FileNow): Promise<void> {
  const row = await setKept(db, id)
  if (!row?.object) return
  const newer = await findNewer(db, { id, object: row.object })
  if (newer.rows.length === 0) await identify(db, row.object, now)
}

const setKept = prepared((db, id: string) =>
  db.updateTable('kept').set({ state: 'kept' }).where('id', '=', id).where('state', '=', 'open').returning('object'),
)

const findNewer = statement<{ id: string; object: string }>(({ db, value }) =>
  db
    .selectFrom('kept')
    .select('id')
    .where('object', '=', value('object'))
    .where('id', '>', value('id'))
    .where('kind', '=', 'version')
    .where('state', '=', 'kept')
    .limit(1),
)

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

/** See `VersionRecords.lostBefore`. */
export async function lostBefore(db: Db, { identity, place }: Pick<FileNow, 'identity' | 'place'>): Promise<boolean> {
  const row = await db
    .selectFrom('change_steps')
    .select('change')
    .where(isOneOf(db, 'place', [place]))
    .where('kind', '=', 'replace')
    .where('made', '=', identity)
    .where('kept', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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
