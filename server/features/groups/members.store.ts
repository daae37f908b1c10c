import type { Db } from '../../db/schema.ts'
import { bumpAccess } from './epoch.store.ts'

/** Memberships by hand, as opposed to those that a provider gives. */
export const MANUAL = 'manual'

/** The source of memberships that an OpenID provider gives. */
export const providerSource = (slug: string): string => `provider:${slug}`

/** The memberships of one user in one group. */
export interface Membership {
  sources: string[]
  /** When the last one ends, in milliseconds; null for never. */
  expiresAt: number | null
}

/** A member of a group. */
export interface StoredMember extends Membership {
  id: number
  username: string
}

/** The memberships of a user that last beyond `now`, by group. */
export async function membershipsOf(db: Db, userId: number, now: number): Promise<ReadonlyMap<string, Membership>> {
  const rows = await db
    .selectFrom('group_members')
    .select(['group_id', 'source', 'expires_at'])
    .where('user_id', '=', userId)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('source')
    .execute()
  const groups = Map.groupBy(rows, row => row.group_id)
  return new Map([...groups].map(([id, some]) => [id, joined(some)]))
}

/** Members of a group by id, and whether there are more. Expired memberships are not among them. */
export async function listMembers(
  db: Db,
  group: string,
  { after, most, now }: { after: number; most: number; now: number },
): Promise<{ members: StoredMember[]; more: boolean }> {
  const ids = db
    .selectFrom('group_members')
    .select('user_id')
    .distinct()
    .where('group_id', '=', group)
    .where('user_id', '>', after)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('user_id')
    .limit(most + 1)
  const wanted = (await ids.execute()).map(row => row.user_id)
  const page = wanted.slice(0, most)
  if (page.length === 0) return { members: [], more: false }
  const rows = await db
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['user_id', 'username', 'source', 'expires_at'])
    .where('group_id', '=', group)
    .where('user_id', 'in', page)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('user_id')
    .orderBy('source')
    .execute()
  const members = [...Map.groupBy(rows, row => row.user_id)].map(([id, some]) => ({
    id,
    username: some[0]?.username ?? '',
    ...joined(some),
  }))
  return { members, more: wanted.length > most }
}

/** Ids of members of a group, at most so many. */
export async function someMembers(db: Db, group: string, most: number): Promise<number[]> {
  const ids = db.selectFrom('group_members').select('user_id').distinct().where('group_id', '=', group).limit(most)
  return (await ids.execute()).map(row => row.user_id)
}

/** Whether any source puts a user into a group. */
export async function isMember(db: Db, group: string, userId: number): Promise<boolean> {
  const rows = db.selectFrom('group_members').select('source').where('group_id', '=', group)
  return (await rows.where('user_id', '=', userId).limit(1).executeTakeFirst()) !== undefined
}

/** Puts a user into a group, or changes when that ends. */
export async function setMember(
  db: Db,
  group: string,
  { userId, source, expiresAt }: { userId: number; source: string; expiresAt: number | null },
): Promise<void> {
  const row = { group_id: group, user_id: userId, source, created_at: Date.now(), expires_at: expiresAt }
  await db
    .insertInto('group_members')
    .values(row)
    .onConflict(conflict => conflict.columns(['group_id', 'user_id', 'source']).doUpdateSet({ expires_at: expiresAt }))
    .execute()
  await bumpAccess(db, { users: [userId] })
}

/** Ends the membership that a source gives. @returns whether there was one */
export async function deleteMember(db: Db, group: string, userId: number, source: string): Promise<boolean> {
  const row = await db
    .deleteFrom('group_members')
    .where('group_id', '=', group)
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .returning('user_id')
    .executeTakeFirst()
  if (row) await bumpAccess(db, { users: [userId] })
  return row !== undefined
}

/** Replaces the memberships that a source gives to a user. @returns whether that changed any */
export async function replaceMemberships(
  db: Db,
  userId: number,
  source: string,
  groups: readonly string[],
): Promise<boolean> {
  const rows = await db
    .selectFrom('group_members')
    .select('group_id')
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute()
  const before = new Set(rows.map(row => row.group_id))
  const after = new Set(groups)
  if (before.size === after.size && [...after].every(id => before.has(id))) return false
  await db.deleteFrom('group_members').where('user_id', '=', userId).where('source', '=', source).execute()
  const added = [...after].map(id => ({ group_id: id, user_id: userId, source, created_at: Date.now() }))
  if (added.length > 0) await db.insertInto('group_members').values(added).execute()
  await bumpAccess(db, { users: [userId] })
  return true
}

function joined(rows: readonly { source: string; expires_at: number | null }[]): Membership {
  const ends = rows.map(row => (row.expires_at === null ? null : Number(row.expires_at)))
  const expiresAt = ends.includes(null) ? null : Math.max(...ends.map(Number))
  return { sources: rows.map(row => row.source), expiresAt }
}
