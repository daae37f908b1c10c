import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Meter } from '../../files/metering.ts'
import { type Amount, positive } from '../../lib/amount.ts'

/** Who holds room: a process, or none while an upload waits for its next chunk. */
export interface Holder {
  id: string
  kind: 'change' | 'upload'
  owner: string
  now: number
}

/** Counters of a meter when a change began: others since then may have removed the same files. */
export interface Counters {
  changes: number
  trees: number
}

/**
 * Reserves room in a meter, if it is there. The check and the reservation are one statement, so that any number of
 * writers never get more than there is.
 * @returns nothing where the meter no longer exists
 * @throws AppError `quota_exceeded`
 */
export async function holdIn(
  db: Db,
  { id: meter, limits }: Meter,
  { bytes, items }: Amount,
  { id, kind, owner, now }: Holder,
): Promise<Counters | undefined> {
  const update = db
    .updateTable('quota_meters')
    .set({ held: sql<number>`held + ${bytes}`, held_items: sql<number>`held_items + ${items}` })
    .where('id', '=', meter)
    .returning(['changes', 'trees'])
  let fitting = update
  if (limits.bytes !== undefined && bytes > 0)
    fitting = fitting.where(sql<boolean>`bytes + held + ${bytes} <= ${limits.bytes}`)
  if (limits.items !== undefined && items > 0)
    fitting = fitting.where(sql<boolean>`items + held_items + ${items} <= ${limits.items}`)
  const row = await fitting.executeTakeFirst()
  if (!row) {
    await refuse(db, { id: meter, limits }, { bytes, items })
    return undefined
  }
  await db
    .insertInto('quota_holds')
    .values({ id, meter, bytes, items, kind, owner, heartbeat: now })
    .onConflict(conflict =>
      conflict.columns(['id', 'meter']).doUpdateSet({
        bytes: sql<number>`quota_holds.bytes + ${bytes}`,
        items: sql<number>`quota_holds.items + ${items}`,
        owner,
        heartbeat: now,
      }),
    )
    .execute()
  return { changes: Number(row.changes), trees: Number(row.trees) }
}

/** @throws AppError `quota_exceeded` unless the meter is gone */
async function refuse(db: Db, { id, limits }: Meter, { bytes, items }: Amount): Promise<void> {
  const found = await db
    .selectFrom('quota_meters')
    .select(['bytes', 'held', 'items', 'held_items'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) return
  const left = Math.max((limits.bytes ?? Number.POSITIVE_INFINITY) - Number(found.bytes) - Number(found.held), 0)
  const itemsLeft = Math.max(
    (limits.items ?? Number.POSITIVE_INFINITY) - Number(found.items) - Number(found.held_items),
    0,
  )
  const lacksItems = limits.bytes === undefined || (items > itemsLeft && bytes <= left)
  throw new AppError('quota_exceeded', 'quota_exceeded', lacksItems ? { itemsLeft } : { left })
}

/** What a change did to a meter. */
export interface Settlement {
  meter: string
  /** What was added; negative for what is gone. */
  added: Amount
  held: Amount
  began: Counters
  /** A folder was removed. */
  tree: boolean
  /** It is unknown how much was removed. */
  doubt: boolean
}

/**
 * Settles a change. Where files may have been subtracted twice, nothing is: the meter stays above what there is, and
 * counts again.
 * @returns whether it has to be counted
 */
export async function settleIn(db: Db, { meter, added, held, began, tree, doubt }: Settlement): Promise<boolean> {
  const row = await db
    .updateTable('quota_meters')
    .set({
      held: sql<number>`held - ${held.bytes}`,
      held_items: sql<number>`held_items - ${held.items}`,
      changes: sql<number>`changes + 1`,
      trees: sql<number>`trees + ${tree ? 1 : 0}`,
      grown: sql<number>`grown + ${Math.max(added.bytes, 0)}`,
      grown_items: sql<number>`grown_items + ${Math.max(added.items, 0)}`,
    })
    .where('id', '=', meter)
    .returning(['changes', 'trees'])
    .executeTakeFirst()
  if (!row) return false
  const others = tree ? Number(row.changes) - 1 !== began.changes : Number(row.trees) !== began.trees
  const isDoubtful = doubt || ((added.bytes < 0 || added.items < 0) && others)
  const { bytes, items } = isDoubtful ? positive(added) : added
  await db
    .updateTable('quota_meters')
    .set({
      bytes: sql<number>`bytes + ${bytes}`,
      items: sql<number>`items + ${items}`,
      ...(isDoubtful && { state: 'counting' as const, counted_at: null }),
    })
    .where('id', '=', meter)
    .execute()
  return isDoubtful
}

/** What is held under an id, by meter. */
export async function holdsOf(db: Db, id: string): Promise<Map<string, Amount>> {
  const rows = await db.selectFrom('quota_holds').select(['meter', 'bytes', 'items']).where('id', '=', id).execute()
  return new Map(rows.map(row => [row.meter, amountIn(row)]))
}

export async function dropHold(db: Db, id: string): Promise<void> {
  await db.deleteFrom('quota_holds').where('id', '=', id).execute()
}

/** An upload waits for its next request. */
export async function rest(db: Db, id: string): Promise<void> {
  await db.updateTable('quota_holds').set({ owner: '' }).where('id', '=', id).execute()
}

/** Shows that changes of this process are under way. */
export async function beat(db: Db, owner: string, now: number): Promise<void> {
  await db.updateTable('quota_holds').set({ heartbeat: now }).where('owner', '=', owner).execute()
}

/** Removes a hold of a change that ended with its process, or of an upload that no longer exists. */
export async function freeHold(db: Db, meter: string, { id, bytes, items }: { id: string } & Amount): Promise<void> {
  const removed = await db
    .deleteFrom('quota_holds')
    .where('id', '=', id)
    .where('meter', '=', meter)
    .where('bytes', '=', bytes)
    .where('items', '=', items)
    .executeTakeFirst()
  if (Number(removed.numDeletedRows) === 0) return
  await db
    .updateTable('quota_meters')
    .set({ held: sql<number>`held - ${bytes}`, held_items: sql<number>`held_items - ${items}` })
    .where('id', '=', meter)
    .execute()
}

/** Gives up holds that could not be settled, so that their folders are counted again. */
export async function abandon(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('quota_holds')
    .set({ owner: 'lost', heartbeat: 0 })
    .where('id', 'in', [...ids])
    .execute()
}

/** Gives up the holds of every other process. */
export async function abandonOthers(db: Db, owner: string): Promise<void> {
  const lost = { owner: 'lost', heartbeat: 0 }
  await db.updateTable('quota_holds').set(lost).where('owner', 'not in', ['', owner]).execute()
}

/** Holds of changes in a meter that are under way, or were when their process ended. */
export async function activeHolds(db: Db, meter: string) {
  const rows = await db
    .selectFrom('quota_holds')
    .select(['id', 'kind', 'bytes', 'items', 'owner', 'heartbeat'])
    .where('meter', '=', meter)
    .where('owner', '!=', '')
    .execute()
  return rows.map(row => ({ ...row, ...amountIn(row), heartbeat: Number(row.heartbeat) }))
}

/** Meters with changes of processes that have ended. */
export async function metersWithLost(db: Db, isLost: { before: number; but: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('quota_holds')
    .select('meter')
    .distinct()
    .where('owner', 'not in', ['', isLost.but])
    .where('heartbeat', '<', isLost.before)
    .execute()
  return rows.map(({ meter }) => meter)
}

/** Uploads that wait, in a meter. */
export async function waitingUploads(db: Db, meter: string, before: number) {
  const rows = await db
    .selectFrom('quota_holds')
    .select(['id', 'bytes', 'items'])
    .where('meter', '=', meter)
    .where('kind', '=', 'upload')
    .where('owner', '=', '')
    .where('heartbeat', '<', before)
    .execute()
  return rows.map(row => ({ id: row.id, ...amountIn(row) }))
}

const amountIn = ({ bytes, items }: Amount): Amount => ({ bytes: Number(bytes), items: Number(items) })
