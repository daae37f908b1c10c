import type { ExpressionBuilder, Selectable } from 'kysely'
import type { FilePath } from '../../../shared/path.ts'
import type { SharesTable } from '../../db/links-schema.ts'
import { fromStored, storedBelow, toStored } from '../../db/paths.ts'
import { byShape, statement } from '../../db/prepared.ts'
import type { Db, Schema } from '../../db/schema.ts'

/** The tables whose rows are bound to a file or folder, by the same columns. */
export const BOUND_TABLES = ['shares', 'grants', 'token_folders'] as const
export type BoundTable = (typeof BOUND_TABLES)[number]

/** A link, a grant or a folder of an API token, and the object that it is for. */
export interface Bound {
  hash: string
  userId: number
  path: string
  place: FilePath
  canonical: FilePath
  identity: string
}

/** All tables have the columns that are used here. */
const as = (table: BoundTable) => table as 'shares'

const toBound = (
  row: Pick<Selectable<SharesTable>, 'hash' | 'user_id' | 'path' | 'place' | 'canonical' | 'identity'>,
): Bound => ({
  hash: row.hash,
  userId: row.user_id,
  path: fromStored(row.path),
  place: fromStored(row.place) as FilePath,
  canonical: fromStored(row.canonical) as FilePath,
  identity: row.identity,
})

const BOUND = ['hash', 'user_id', 'path', 'place', 'canonical', 'identity'] as const

/**
 * Binds a link or a grant to the object that replaced its own, unless that is being removed.
 * @returns `rebound`; `free` when another request was first; `ended` when it is bound to its object alone
 */
export async function rebind(
  db: Db,
  table: BoundTable,
  { hash, identity }: Pick<Bound, 'hash' | 'identity'>,
  now: string,
): Promise<'rebound' | 'free' | 'ended'> {
  const free = db.updateTable(as(table)).set({ identity: now }).where('hash', '=', hash).where('leaving', '=', 0)
  const { numUpdatedRows } = await free.where('identity', '=', identity).executeTakeFirst()
  if (numUpdatedRows > 0n) return 'rebound'
  const row = await db.selectFrom(as(table)).select('leaving').where('hash', '=', hash).executeTakeFirst()
  return row?.leaving === 0 ? 'free' : 'ended'
}

/**
 * Counts one more pending removal of the objects at some places, and of everything below them. @returns whether there
 * are rows
 */
export async function markLeaving(db: Db, table: BoundTable, places: readonly FilePath[]): Promise<boolean> {
  const { shape, values } = bounds(places)
  const { numAffectedRows = 0n } = await markIn(`${table} ${shape}`)(db, values)
  return numAffectedRows > 0n
}

const markIn = byShape((of: TableShape) =>
  statement<Values>(({ db, value }) =>
    db
      .updateTable(as(tableOf(of)))
      .set(eb => ({ leaving: eb('leaving', '+', 1) }))
      .where(isWithin(given(of, value))),
  ),
)

/** The tables that have rows of some places, or of what is below them: mostly none. */
export async function tablesWithin(db: Db, places: readonly FilePath[]): Promise<BoundTable[]> {
  const { shape, values } = bounds(places)
  const [found] = (await lookIn(`shares ${shape}`)(db, values)).rows
  return BOUND_TABLES.filter(table => found?.[table])
}

const lookIn = byShape((of: TableShape) =>
  statement<Values, Record<BoundTable, number | null>>(({ db, value }) =>
    db.selectNoFrom(
      BOUND_TABLES.map(table =>
        db
          .selectFrom(as(table))
          .select(({ lit }) => lit(1).as('found'))
          .where(isWithin(given(of, value)))
          .limit(1)
          .as(table),
      ),
    ),
  ),
)

/** Counts one pending removal less for a row whose object still exists. */
export async function unmarkLeaving(db: Db, table: BoundTable, hash: string): Promise<void> {
  await db
    .updateTable(as(table))
    .set(eb => ({ leaving: eb('leaving', '-', 1) }))
    .where('hash', '=', hash)
    .execute()
}

/** The rows of some places and of everything below them. */
export async function boundWithin(db: Db, table: BoundTable, places: readonly FilePath[]): Promise<Bound[]> {
  return (
    await db
      .selectFrom(as(table))
      .select(BOUND)
      .where(isWithin(boundsOf(places)))
      .execute()
  ).map(toBound)
}

/** Binds a row to its object at a new place. It serves again unless another removal is pending. */
export async function follow(db: Db, table: BoundTable, { hash, canonical }: Bound, moved: Bound): Promise<void> {
  const { path, place, identity } = moved
  await db
    .updateTable(as(table))
    .set(eb => ({ ...at({ path, place, canonical: moved.canonical }), identity, leaving: eb('leaving', '-', 1) }))
    .where('hash', '=', hash)
    .where('canonical', '=', toStored(canonical))
    .execute()
}

/** Deletes a row unless it is at another place now. */
export async function deleteBound(db: Db, table: BoundTable, { hash, canonical }: Bound): Promise<void> {
  const row = db.deleteFrom(as(table)).where('hash', '=', hash).where('canonical', '=', toStored(canonical))
  await row.where('suspended', 'is', null).execute()
}

const at = ({ path, place, canonical }: Pick<Bound, 'path' | 'place' | 'canonical'>) => ({
  path: toStored(path),
  place: toStored(place),
  canonical: toStored(canonical),
})

export async function deleteWithin(db: Db, table: BoundTable, places: readonly FilePath[]): Promise<void> {
  await db
    .deleteFrom(as(table))
    .where(isWithin(boundsOf(places)))
    .execute()
}

/** Suspends the rows of some places and of everything below them, until the kept thing returns or is deleted. */
export async function suspendWithin(
  db: Db,
  table: BoundTable,
  places: readonly FilePath[],
  kept: string,
): Promise<void> {
  const { shape, values } = bounds(places)
  await suspendIn(`${table} ${shape}`)(db, { ...values, kept })
}

const suspendIn = byShape((of: TableShape) =>
  statement<Values & { kept: string }>(({ db, value }) =>
    db
      .updateTable(as(tableOf(of)))
      .set({ suspended: value('kept') })
      .where(isWithin(given(of, value))),
  ),
)

/** The rows that wait for a kept thing. */
export async function suspendedBy(db: Db, table: BoundTable, kept: string): Promise<Bound[]> {
  return (await db.selectFrom(as(table)).select(BOUND).where('suspended', '=', kept).execute()).map(toBound)
}

/** Lets a row serve again, perhaps at another place. */
export async function resume(
  db: Db,
  table: BoundTable,
  { hash, path, place, canonical }: Pick<Bound, 'hash' | 'path' | 'place' | 'canonical'>,
): Promise<void> {
  const freed = { ...at({ path, place, canonical }), suspended: null, leaving: 0 }
  await db.updateTable(as(table)).set(freed).where('hash', '=', hash).execute()
}

/** Deletes a row that waits for a kept thing. */
export async function deleteWaiting(db: Db, table: BoundTable, { hash }: Bound): Promise<void> {
  await db.deleteFrom(as(table)).where('hash', '=', hash).where('suspended', 'is not', null).execute()
}

/** Deletes the rows that wait for a kept thing. */
export async function deleteSuspended(db: Db, table: BoundTable, kept: string): Promise<void> {
  await db.deleteFrom(as(table)).where('suspended', '=', kept).execute()
}

/** A place as it is stored, and the ranges of what is below it. */
interface Bounds {
  at: string
  below: readonly (readonly [from: string, to: string])[]
}

/** Several names of an entry are mostly one. */
const boundsOf = (places: readonly FilePath[]): Bounds[] =>
  [...new Set(places)].map(place => ({
    at: toStored(place),
    // '0' follows '/', so these are all texts that start with `below`, by the index.
    below: storedBelow(place).map(below => [below, `${below.slice(0, -1)}0`] as const),
  }))

/** Rows that serve; suspended ones have no place. */
const isWithin = (places: readonly Bounds[]) => (where: ExpressionBuilder<Schema, 'shares'>) =>
  where.and([
    where('suspended', 'is', null),
    where.or(places.flatMap(place => [isIn(where, 'place', place), isIn(where, 'canonical', place)])),
  ])

const isIn = (where: ExpressionBuilder<Schema, 'shares'>, column: 'place' | 'canonical', { at, below }: Bounds) =>
  where.or([
    where(column, '=', at),
    ...below.map(([from, to]) => where.and([where(column, '>=', from), where(column, '<', to)])),
  ])

/** A table, and the number of ranges of each place: what a statement about places is built from. */
type TableShape = `${BoundTable} ${string}`
type Values = Record<`at${number}` | `from${number}.${number}` | `to${number}.${number}`, string>

const tableOf = (of: TableShape) => of.split(' ')[0] as BoundTable

function bounds(places: readonly FilePath[]): { shape: string; values: Values } {
  const values: Values = {}
  const all = boundsOf(places)
  for (const [index, { at, below }] of all.entries()) {
    values[`at${index}`] = at
    for (const [range, [from, to]] of below.entries()) {
      values[`from${index}.${range}`] = from
      values[`to${index}.${range}`] = to
    }
  }
  return { shape: all.map(({ below }) => below.length).join(' '), values }
}

/** The places of a shape, by the names of their values. */
const given = (of: TableShape, value: (name: keyof Values) => string): Bounds[] =>
  of
    .split(' ')
    .slice(1)
    .map((count, index) => ({
      at: value(`at${index}`),
      below: Array.from(
        { length: Number(count) },
        (_, range) => [value(`from${index}.${range}`), value(`to${index}.${range}`)] as const,
      ),
    }))

/** What a user shares and that serves. */
export async function boundOf(db: Db, table: BoundTable, userId: number): Promise<Bound[]> {
  const rows = db.selectFrom(as(table)).select(BOUND).where('user_id', '=', userId).where('suspended', 'is', null)
  return (await rows.execute()).map(toBound)
}

/** Gives a row to another user, with its path in their files. */
export async function give(db: Db, table: BoundTable, bound: Bound, userId: number): Promise<void> {
  const { hash, path, canonical } = bound
  const now = { user_id: userId, path: toStored(path), place: toStored(canonical) }
  await db.updateTable(as(table)).set(now).where('hash', '=', hash).where('user_id', '=', bound.userId).execute()
}

/** Gives a user's rows with a mark to another user. */
export async function setOwner(db: Db, table: BoundTable, mark: string, from: number, to: number): Promise<void> {
  const rows = db.updateTable(as(table)).set({ user_id: to }).where('suspended', '=', mark)
  await rows.where('user_id', '=', from).execute()
}

/** Lets the rows with a mark serve again where they were. */
export async function unsuspend(db: Db, table: BoundTable, mark: string): Promise<void> {
  await db.updateTable(as(table)).set({ suspended: null }).where('suspended', '=', mark).execute()
}
