import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { FilePath } from '../../../shared/path.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import { quotaIn } from '../../db/quota-columns.ts'
import type { QuotaMetersTable } from '../../db/quotas-schema.ts'
import type { Db } from '../../db/schema.ts'
import type { Amount, OwnQuota } from '../../lib/amount.ts'

/** A folder with a quota, and what it holds. */
export interface StoredMeter {
  id: string
  folder: FilePath
  used: Amount
  held: Amount
  grown: Amount
  changes: number
  state: 'counting' | 'exact'
  /** Milliseconds since the epoch. */
  countedAt: number | undefined
}

export const meterId = (folder: FilePath): string => createHash('sha256').update(folder).digest('base64url')

/** The folders and limits of every user with a quota, and of those who share the home of one. */
export interface QuotaRow {
  id: number
  scope: string
  quota: OwnQuota
}

/** Whether any user or group has a quota. */
export async function hasQuotas(db: Db): Promise<boolean> {
  for (const table of ['users', 'groups'] as const) {
    const row = await db
      .selectFrom(table)
      .select('quota_bytes')
      .where(({ or, eb }) => or([eb('quota_bytes', '>=', 0), eb('quota_items', '>=', 0)]))
      .limit(1)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}

export async function usersForQuotas(db: Db): Promise<QuotaRow[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'scope', 'quota_bytes', 'quota_items'])
    .where('home', '!=', 'none')
    .execute()
  return rows.map(row => ({ id: row.id, scope: fromStored(row.scope), quota: quotaIn(row) }))
}

/** Groups that say something about quotas, with their members. */
export async function groupsForQuotas(db: Db, now: number) {
  const groups = await db
    .selectFrom('groups')
    .select(['id', 'quota_bytes', 'quota_items'])
    .where(({ or, eb }) => or([eb('quota_bytes', 'is not', null), eb('quota_items', 'is not', null)]))
    .execute()
  const members = await db
    .selectFrom('group_members')
    .select(['group_id', 'user_id', 'expires_at'])
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where('group_id', 'in', [...groups.map(({ id }) => id), ''])
    .execute()
  return {
    groups: groups.map(row => ({ id: row.id, quota: quotaIn(row) })),
    members: members.map(({ group_id, user_id, expires_at }) => ({
      group: group_id,
      user: user_id,
      expiresAt: expires_at === null ? undefined : Number(expires_at),
    })),
  }
}

export async function listMeters(db: Db): Promise<StoredMeter[]> {
  return (await db.selectFrom('quota_meters').selectAll().orderBy('id').execute()).map(toMeter)
}

export async function findMeter(db: Db, id: string): Promise<StoredMeter | undefined> {
  const row = await db.selectFrom('quota_meters').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toMeter(row)
}

const EMPTY = { bytes: 0, held: 0, grown: 0, items: 0, held_items: 0, grown_items: 0 }

/** Makes the stored meters those of these folders. @returns whether there are new ones, which have to be counted */
export async function syncMeters(db: Db, folders: Iterable<FilePath>): Promise<boolean> {
  const wanted = new Map([...folders].map(folder => [meterId(folder), folder]))
  for (const { id } of await db.selectFrom('quota_meters').select('id').execute()) {
    if (wanted.delete(id)) continue
    await db.deleteFrom('quota_meters').where('id', '=', id).execute()
  }
  for (const [id, folder] of wanted) {
    await db
      .insertInto('quota_meters')
      .values({ id, folder: toStored(folder), ...EMPTY, changes: 0, trees: 0, state: 'counting' })
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute()
  }
  return wanted.size > 0
}

/** Notes that meters have to be counted soon, as a change would: a count that runs may have passed what it is about. */
export async function mustCount(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('quota_meters')
    .set({ state: 'counting', counted_at: null, changes: sql<number>`changes + 1` })
    .where('id', 'in', [...ids])
    .execute()
}

/** The unfinished files of all uploads. */
export async function stagedUploads(db: Db): Promise<{ scope: string; staged: string }[]> {
  const rows = await db.selectFrom('uploads').select(['scope', 'staged']).execute()
  return rows.map(({ scope, staged }) => ({ scope: fromStored(scope), staged: fromStored(staged) }))
}

/** The state of a meter, with its row locked until the transaction ends. */
export async function lockMeter(db: Db, id: string): Promise<StoredMeter | undefined> {
  const update = db.updateTable('quota_meters').set({ id }).where('id', '=', id)
  const row = await update.returningAll().executeTakeFirst()
  return row && toMeter(row)
}

/** @param count what was counted */
export async function setCounted(
  db: Db,
  id: string,
  count: { amount: Amount; state: 'counting' | 'exact'; countedAt: number },
): Promise<void> {
  const { amount, state, countedAt: counted_at } = count
  await db
    .updateTable('quota_meters')
    .set({ ...amount, state, counted_at })
    .where('id', '=', id)
    .execute()
}

function toMeter(row: QuotaMetersTable): StoredMeter {
  return {
    id: row.id,
    folder: fromStored(row.folder) as FilePath,
    used: { bytes: Number(row.bytes), items: Number(row.items) },
    held: { bytes: Number(row.held), items: Number(row.held_items) },
    grown: { bytes: Number(row.grown), items: Number(row.grown_items) },
    changes: Number(row.changes),
    state: row.state,
    countedAt: row.counted_at === null ? undefined : Number(row.counted_at),
  }
}
