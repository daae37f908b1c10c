import { createHash } from 'node:crypto'
import type { FilePath } from '../../../shared/path.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'

/** A folder with a quota, and what it holds. */
export interface StoredMeter {
  id: string
  folder: FilePath
  bytes: number
  held: number
  grown: number
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
  quotaBytes: number | null
}

/** Whether any user or group has a quota. */
export async function hasQuotas(db: Db): Promise<boolean> {
  for (const table of ['users', 'groups'] as const) {
    const row = await db
      .selectFrom(table)
      .select('quota_bytes')
      .where('quota_bytes', '>=', 0)
      .limit(1)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}

export async function usersForQuotas(db: Db): Promise<QuotaRow[]> {
  const rows = await db.selectFrom('users').select(['id', 'scope', 'quota_bytes']).execute()
  return rows.map(({ id, scope, quota_bytes }) => ({ id, scope: fromStored(scope), quotaBytes: bytesIn(quota_bytes) }))
}

/** Groups that say something about quotas, with their members. */
export async function groupsForQuotas(db: Db, now: number) {
  const groups = await db
    .selectFrom('groups')
    .select(['id', 'quota_bytes'])
    .where('quota_bytes', 'is not', null)
    .execute()
  const members = await db
    .selectFrom('group_members')
    .select(['group_id', 'user_id', 'expires_at'])
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where('group_id', 'in', [...groups.map(({ id }) => id), ''])
    .execute()
  return {
    groups: groups.map(({ id, quota_bytes }) => ({ id, quotaBytes: bytesIn(quota_bytes) })),
    members: members.map(({ group_id, user_id, expires_at }) => ({
      group: group_id,
      user: user_id,
      expiresAt: expires_at === null ? undefined : Number(expires_at),
    })),
  }
}

const bytesIn = (value: number | null) => (value === null ? null : Number(value))

export async function listMeters(db: Db): Promise<StoredMeter[]> {
  return (await db.selectFrom('quota_meters').selectAll().orderBy('id').execute()).map(toMeter)
}

export async function findMeter(db: Db, id: string): Promise<StoredMeter | undefined> {
  const row = await db.selectFrom('quota_meters').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toMeter(row)
}

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
      .values({ id, folder: toStored(folder), bytes: 0, held: 0, grown: 0, changes: 0, trees: 0, state: 'counting' })
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute()
  }
  return wanted.size > 0
}

/** Notes that meters have to be counted soon; changes still count. */
export async function mustCount(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const due = { state: 'counting', counted_at: null } as const
  await db
    .updateTable('quota_meters')
    .set(due)
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
  count: { bytes: number; state: 'counting' | 'exact'; countedAt: number },
): Promise<void> {
  const { bytes, state, countedAt: counted_at } = count
  await db.updateTable('quota_meters').set({ bytes, state, counted_at }).where('id', '=', id).execute()
}

function toMeter(row: {
  id: string
  folder: string
  bytes: number
  held: number
  grown: number
  changes: number
  state: 'counting' | 'exact'
  counted_at: number | null
}): StoredMeter {
  const { id, state, counted_at } = row
  return {
    id,
    folder: fromStored(row.folder) as FilePath,
    bytes: Number(row.bytes),
    held: Number(row.held),
    grown: Number(row.grown),
    changes: Number(row.changes),
    state,
    countedAt: counted_at === null ? undefined : Number(counted_at),
  }
}
