import { createHash } from 'node:crypto'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { KeptEnd } from '../../shared/api/changes.ts'
import { type FilePath, ROOT } from '../../shared/path.ts'
import type { KeptTable } from '../db/history-schema.ts'
import { insertRow } from '../db/insert-row.ts'
import { fromStored, storedBelow, toStored } from '../db/paths.ts'
import { prepared, statement } from '../db/prepared.ts'
import type { Db, Schema } from '../db/schema.ts'
import { storable } from '../db/text.ts'
import type { AreaSum, KeptFilter, KeptRecord } from '../files/trash-records.ts'

/** An area, by the folder that it is in and its own identity. */
export type Area = Pick<KeptRecord['at'], 'home' | 'area'>
type State = KeptTable['state']
export type GoneWhy = NonNullable<KeptTable['gone_why']>

/** A recorded thing with the state of its row. */
export interface KeptRow extends KeptRecord {
  state: State
  goneWhy: GoneWhy | null
  /** Of a version: the identity of the file that gave way. */
  was: string | null
  pinned: boolean
}

/** Records a thing that is about to be set aside, or was found. @param area the id of its area's row */
export async function insertKept(
  db: Db,
  record: KeptRecord,
  { area, state, reason }: Pick<KeptTable, 'area' | 'state' | 'reason'>,
): Promise<void> {
  await insertRow(db, 'kept', {
    id: record.id,
    kind: 'trash',
    area,
    name: toStored(record.at.name),
    place: toStored(record.place),
    identity: record.identity,
    is_folder: record.isFolder ? 1 : 0,
    size: record.size,
    entries: null,
    modified: record.modified,
    mode: record.mode,
    user_id: record.userId,
    username: storable(record.username),
    at: record.deletedAt,
    reason,
    state,
    gone_at: null,
    gone_why: null,
    object: null,
    was: null,
    label: null,
    sha256: null,
    change: null,
  })
}

/** `areaId` with a memory: such rows stay. */
export function rememberedAreas(db: Db): (at: Area) => Promise<string> {
  const known = new Map<string, string>()
  return async at => {
    const key = `${at.home}\0${at.area}`
    const id = known.get(key) ?? (await areaId(db, at))
    known.set(key, id)
    return id
  }
}

/** The id of an area's row, made when it is used for the first time; servers that do so at once make the same row. */
export async function areaId(db: Db, { home, area }: Area): Promise<string> {
  const id = createHash('sha256').update(`${home}\0${area}`).digest('hex')
  if (await db.selectFrom('areas').select('id').where('id', '=', id).executeTakeFirst()) return id
  await db
    .insertInto('areas')
    .values({ id, place: toStored(home), kind: 'own', identity: area, made_at: Date.now() })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
  return id
}

/** Every area that was used. */
export async function listAreas(db: Db): Promise<(Area & { id: string })[]> {
  const rows = await db.selectFrom('areas').selectAll().orderBy('id').execute()
  return rows.map(({ id, place, identity }) => ({ id, home: fromStored(place) as FilePath, area: identity }))
}

export const joined = (db: Db) =>
  db
    .selectFrom('kept')
    .innerJoin('areas', 'areas.id', 'kept.area')
    .selectAll('kept')
    .select(['areas.place as home', 'areas.identity as areaIdentity'])

export type JoinedRow = Selectable<KeptTable> & { home: string; areaIdentity: string }

export async function findKept(db: Db, id: string): Promise<KeptRow | undefined> {
  const row = await keptById(db, id)
  return row && toRow(row)
}

const keptById = prepared((db, id: string) => joined(db).where('kept.id', '=', id))

/** Things in the trash, newest first. */
export async function listKept(db: Db, filter: KeptFilter, limit: number): Promise<KeptRow[]> {
  const rows = await joined(db).where(matches(filter)).orderBy('kept.id', 'desc').limit(limit).execute()
  return rows.map(toRow)
}

export async function sumsKept(db: Db, filter: KeptFilter): Promise<AreaSum[]> {
  const rows = await db
    .selectFrom('kept')
    .innerJoin('areas', 'areas.id', 'kept.area')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('kept.size').as('bytes')])
    .select(['areas.place', 'areas.identity'])
    .where(matches(filter))
    .groupBy(['areas.id', 'areas.place', 'areas.identity'])
    .execute()
  return rows.map(({ place, identity, count, bytes }) => ({
    home: fromStored(place) as FilePath,
    area: identity,
    count: Number(count),
    bytes: Number(bytes ?? 0),
  }))
}

type Where = ExpressionBuilder<Schema, 'kept'>

const matches =
  ({ under, userId, before, deletedBefore, foreign = true }: KeptFilter) =>
  (where: Where) =>
    where.and([
      where('kept.kind', '=', 'trash'),
      where('kept.state', '=', 'kept'),
      where.or(under.map(folder => isIn(where, folder))),
      ...(userId === undefined ? [] : [where('kept.user_id', '=', userId)]),
      ...(foreign ? [] : [where('kept.reason', '!=', 'desktop')]),
      ...(before === undefined ? [] : [where('kept.id', '<', before)]),
      ...(deletedBefore === undefined ? [] : [where('kept.at', '<', deletedBefore)]),
    ])

function isIn(where: Where, folder: FilePath) {
  return where.or([
    where('kept.place', '=', toStored(folder)),
    // '0' follows '/', so these are all texts that start with `below`, by the index.
    ...storedBelow(folder).map(below =>
      where.and([
        where('kept.place', '>=', below),
        where('kept.place', '<', `${below.slice(0, -1)}0`),
        // What is in another root is not below `/`.
        ...(folder === ROOT
          ? [where.or([where('kept.place', '<', `${below}/`), where('kept.place', '>=', `${below}0`)])]
          : []),
      ]),
    ),
  ])
}

/** Rows in some states, the oldest first. */
export async function rowsIn(db: Db, states: readonly State[], deletedBefore: number): Promise<KeptRow[]> {
  const query = joined(db).where('kept.state', 'in', states).where('kept.at', '<', deletedBefore)
  return (await query.orderBy('kept.id').execute()).map(toRow)
}

/** Things in one area, the oldest first, from the one after an id. @param kind of both kinds unless given */
export async function keptIn(
  db: Db,
  area: string,
  after: string,
  limit: number,
  kind?: KeptTable['kind'],
): Promise<KeptRow[]> {
  const all = joined(db).where('kept.area', '=', area).where('kept.state', '=', 'kept').where('kept.id', '>', after)
  const query = kind ? all.where('kept.kind', '=', kind) : all
  return (await query.orderBy('kept.id').limit(limit).execute()).map(toRow)
}

/** Things whose area is in a folder of the served root. */
export async function keptWithin(db: Db, folder: FilePath, limit: number): Promise<KeptRow[]> {
  const query = joined(db)
    .where('kept.state', '=', 'kept')
    .where(where =>
      where.or([
        where('areas.place', '=', toStored(folder)),
        ...storedBelow(folder).map(below =>
          where.and([where('areas.place', '>=', below), where('areas.place', '<', `${below.slice(0, -1)}0`)]),
        ),
      ]),
    )
  return (await query.orderBy('kept.id').limit(limit).execute()).map(toRow)
}

/** Records that a thing is in another area. */
export async function moveKept(db: Db, id: string, at: KeptRecord['at']): Promise<void> {
  const now = { area: await areaId(db, at), name: toStored(at.name) }
  await db.updateTable('kept').set(now).where('id', '=', id).execute()
}

/** The number of things of a kind in one area that expire, and the bytes that are known of them. */
export async function totalsIn(
  db: Db,
  area: string,
  kind: KeptTable['kind'],
): Promise<{ count: number; bytes: number }> {
  const row = await db
    .selectFrom('kept')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size').as('bytes')])
    .where('area', '=', area)
    .where('reason', '!=', 'desktop')
    .where('kind', '=', kind)
    .where('state', '=', 'kept')
    .executeTakeFirst()
  return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) }
}

/** The bytes of what may be deleted to free room in an area. */
export async function expirableBytes(db: Db, area: string, deletedBefore: number): Promise<number> {
  const row = await db
    .selectFrom('kept')
    .select(({ fn }) => fn.sum<number | null>('size').as('bytes'))
    .where('area', '=', area)
    .where('state', '=', 'kept')
    .where('at', '<', deletedBefore)
    .where('pinned', '=', 0)
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

/** Folders that were not counted yet. */
export async function uncounted(db: Db, limit: number): Promise<KeptRow[]> {
  const query = joined(db)
    .where('kept.is_folder', '=', 1)
    .where('kept.entries', 'is', null)
    .where('kept.state', '=', 'kept')
  return (await query.orderBy('kept.id').limit(limit).execute()).map(toRow)
}

export async function noteCounted(db: Db, id: string, counted: { size: number; entries: number }): Promise<void> {
  await db.updateTable('kept').set(counted).where('id', '=', id).execute()
}

/** The names of all things that may be in an area. */
export async function namesIn(db: Db, area: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('kept')
    .select('name')
    .where('area', '=', area)
    .where('state', '!=', 'gone')
    .execute()
  return new Set(rows.map(({ name }) => fromStored(name)))
}

/** The id of a user by name; 0 if there is none. */
export async function userNamed(db: Db, username: string): Promise<number> {
  const row = await db.selectFrom('users').select('id').where('username', '=', storable(username)).executeTakeFirst()
  return row?.id ?? 0
}

/** Changes the state of a thing that is in another one. @returns whether it was */
export async function changeState(db: Db, id: string, from: State, to: State, why?: GoneWhy): Promise<boolean> {
  const at = to === 'gone' ? Date.now() : null
  const { numAffectedRows = 0n } = await setState(db, { id, from, to, why: why ?? null, at })
  return numAffectedRows > 0n
}

const setState = statement<{ id: string; from: State; to: State; why: GoneWhy | null; at: number | null }>(
  ({ db, value }) =>
    db
      .updateTable('kept')
      .set({ state: value('to'), gone_why: value('why'), gone_at: value('at') })
      .where('id', '=', value('id'))
      .where('state', '=', value('from')),
)

/** Records that a copy is kept in place of the thing. */
export async function identifyKept(db: Db, id: string, identity: string): Promise<void> {
  await db.updateTable('kept').set({ identity }).where('id', '=', id).execute()
}

const ENDS: Readonly<Record<GoneWhy, KeptEnd>> = {
  restored: 'restored',
  purged: 'purged',
  age: 'expired',
  thinned: 'expired',
  share: 'room',
  need: 'room',
  lost: 'taken',
}

/** How and when a thing went that is kept no longer. */
export async function endOf(db: Db, id: string): Promise<{ how: KeptEnd; at: number } | undefined> {
  const ended = db.selectFrom('kept').select(['gone_why', 'gone_at']).where('id', '=', id).where('state', '=', 'gone')
  const row = await ended.executeTakeFirst()
  return row?.gone_why && row.gone_at !== null ? { how: ENDS[row.gone_why], at: Number(row.gone_at) } : undefined
}

/** Ends a row whose thing is on its way out. */
export async function endKept(db: Db, id: string): Promise<void> {
  await endLeaving(db, { id, now: Date.now() })
}

const endLeaving = statement<{ id: string; now: number }>(({ db, value }) =>
  db
    .updateTable('kept')
    .set({ state: 'gone', gone_at: value('now') })
    .where('id', '=', value('id'))
    .where('state', '=', 'leaving'),
)

export async function deleteKept(db: Db, id: string): Promise<void> {
  await db.deleteFrom('kept').where('id', '=', id).execute()
}

export function toRow(row: JoinedRow): KeptRow {
  return {
    id: row.id,
    at: atOf(row),
    place: fromStored(row.place) as FilePath,
    identity: row.identity,
    isFolder: row.is_folder === 1,
    size: Number(row.size),
    modified: Number(row.modified),
    mode: row.mode,
    userId: row.user_id,
    username: row.username,
    deletedAt: Number(row.at),
    state: row.state,
    goneWhy: row.gone_why,
    was: row.was,
    pinned: row.pinned === 1,
    ...(row.reason === 'desktop' && { isForeign: true }),
  }
}

/** Where a recorded thing is kept. */
export function atOf({ home, areaIdentity, name, kind }: JoinedRow): KeptRecord['at'] {
  const at = { home: fromStored(home) as FilePath, area: areaIdentity, name: fromStored(name) }
  return kind === 'version' ? { ...at, kind } : at
}
