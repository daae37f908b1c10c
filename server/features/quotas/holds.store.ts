import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Meter } from '../../files/metering.ts'

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
 * Reserves bytes in a meter, if they fit. The check and the reservation are one statement, so that any number of
 * writers never get more than there is.
 * @returns nothing where the meter no longer exists
 * @throws AppError `quota_exceeded`
 */
export async function holdIn(
  db: Db,
  { id: meter, limit }: Meter,
  bytes: number,
  { id, kind, owner, now }: Holder,
): Promise<Counters | undefined> {
  const update = db
    .updateTable('quota_meters')
    .set({ held: sql<number>`held + ${bytes}` })
    .where('id', '=', meter)
    .returning(['changes', 'trees'])
  const isLimited = limit !== undefined && bytes > 0
  const fits = sql<boolean>`bytes + held + ${bytes} <= ${limit ?? 0}`
  const row = await (isLimited ? update.where(fits) : update).executeTakeFirst()
  if (!row) {
    const found = await db
      .selectFrom('quota_meters')
      .select(['bytes', 'held'])
      .where('id', '=', meter)
      .executeTakeFirst()
    if (!found || limit === undefined) return undefined
    const left = Math.max(limit - Number(found.bytes) - Number(found.held), 0)
    throw new AppError('quota_exceeded', 'quota_exceeded', { left })
  }
  await db
    .insertInto('quota_holds')
    .values({ id, meter, bytes, kind, owner, heartbeat: now })
    .onConflict(conflict =>
      conflict
        .columns(['id', 'meter'])
        .doUpdateSet({ bytes: sql<number>`quota_holds.bytes + ${bytes}`, owner, heartbeat: now }),
    )
    .execute()
  return { changes: Number(row.changes), trees: Number(row.trees) }
}

/** What a change did to a meter. */
export interface Settlement {
  meter: string
  /** Bytes that were added; negative for what is gone. */
  bytes: number
  held: number
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
export async function settleIn(db: Db, { meter, bytes, held, began, tree, doubt }: Settlement): Promise<boolean> {
  const row = await db
    .updateTable('quota_meters')
    .set({
      held: sql<number>`held - ${held}`,
      changes: sql<number>`changes + 1`,
      trees: sql<number>`trees + ${tree ? 1 : 0}`,
      grown: sql<number>`grown + ${Math.max(bytes, 0)}`,
    })
    .where('id', '=', meter)
    .returning(['changes', 'trees'])
    .executeTakeFirst()
  if (!row) return false
  const others = tree ? Number(row.changes) - 1 !== began.changes : Number(row.trees) !== began.trees
  const isDoubtful = doubt || (bytes < 0 && others)
  const added = isDoubtful ? Math.max(bytes, 0) : bytes
  await db
    .updateTable('quota_meters')
    .set({ bytes: sql<number>`bytes + ${added}`, ...(isDoubtful && { state: 'counting' as const, counted_at: null }) })
    .where('id', '=', meter)
    .execute()
  return isDoubtful
}

/** What is held under an id, by meter. */
export async function holdsOf(db: Db, id: string): Promise<Map<string, number>> {
  const rows = await db.selectFrom('quota_holds').select(['meter', 'bytes']).where('id', '=', id).execute()
  return new Map(rows.map(({ meter, bytes }) => [meter, Number(bytes)]))
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
export async function freeHold(db: Db, meter: string, { id, bytes }: { id: string; bytes: number }): Promise<void> {
  const removed = await db
    .deleteFrom('quota_holds')
    .where('id', '=', id)
    .where('meter', '=', meter)
    .where('bytes', '=', bytes)
    .executeTakeFirst()
  if (Number(removed.numDeletedRows) === 0) return
  await db
    .updateTable('quota_meters')
    .set({ held: sql<number>`held - ${bytes}` })
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
    .select(['id', 'kind', 'bytes', 'owner', 'heartbeat'])
    .where('meter', '=', meter)
    .where('owner', '!=', '')
    .execute()
  return rows.map(row => ({ ...row, bytes: Number(row.bytes), heartbeat: Number(row.heartbeat) }))
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
    .select(['id', 'bytes'])
    .where('meter', '=', meter)
    .where('kind', '=', 'upload')
    .where('owner', '=', '')
    .where('heartbeat', '<', before)
    .execute()
  return rows.map(({ id, bytes }) => ({ id, bytes: Number(bytes) }))
}
