import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { EVERYONE } from '../../../shared/api/groups.ts'
import type { Rule } from '../../../shared/api/users.ts'
import { NO_PERMISSIONS, type Permissions } from '../../../shared/permissions.ts'
import type { GroupsTable } from '../../db/groups-schema.ts'
import { quotaColumns, quotaIn } from '../../db/quota-columns.ts'
import type { Db } from '../../db/schema.ts'
import { storable } from '../../db/text.ts'
import { AppError } from '../../errors.ts'
import { NO_QUOTA, type OwnQuota } from '../../lib/amount.ts'
import { LIMITS } from '../../limits.ts'
import { bumpAccess } from './epoch.store.ts'

/** A group as stored. */
export interface StoredGroup {
  id: string
  name: string
  description: string
  perm: Permissions
  rules: readonly Rule[]
  /** For the home of each member. */
  quota: OwnQuota
}

export type GroupFields = Omit<StoredGroup, 'id' | 'quota'>

/** How many users are in a group, and how many memberships each source gives. */
export interface GroupCounts {
  members: number
  sources: Record<string, number>
}

/** Names are compared without case, and in one form of composed letters. */
export const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()

/** All groups in their order; that of all users is the first. */
export async function listGroups(db: Db): Promise<StoredGroup[]> {
  const rows = await db.selectFrom('groups').selectAll().orderBy('position').orderBy('id').execute()
  return rows.map(toGroup)
}

export async function findGroup(db: Db, id: string): Promise<StoredGroup | undefined> {
  if (storable(id) !== id) return undefined
  const row = await db.selectFrom('groups').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toGroup(row)
}

export async function findGroupByName(db: Db, name: string): Promise<StoredGroup | undefined> {
  if (storable(name) !== name) return undefined
  const row = await db.selectFrom('groups').selectAll().where('name_key', '=', keyOf(name)).executeTakeFirst()
  return row && toGroup(row)
}

/** The groups that a user is in or that count for all, in order, without regard to the end of memberships. */
export async function listGroupsOf(db: Db, userId: number): Promise<StoredGroup[]> {
  const rows = await db
    .selectFrom('groups')
    .selectAll()
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('id', '=', EVERYONE),
        eb('id', 'in', selectFrom('group_members').select('group_id').where('user_id', '=', userId)),
      ]),
    )
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(toGroup)
}

/** All groups by the keys of their names, with what brought each. */
export async function groupsByKey(db: Db): Promise<Map<string, { id: string; source: string }>> {
  const rows = await db.selectFrom('groups').select(['id', 'name_key', 'source']).execute()
  return new Map(rows.map(({ id, name_key: key, source }) => [key, { id, source }]))
}

/** Adds a group behind all others. @param source what brings it, `''` for an administrator. @throws AppError `exists` when the name is taken or there are too many */
export async function insertGroup(db: Db, fields: GroupFields, source = ''): Promise<StoredGroup> {
  const { count, last } = await db
    .selectFrom('groups')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('position').as('last')])
    .executeTakeFirstOrThrow()
  if (Number(count) > LIMITS.groups) throw new AppError('exists', `there are ${LIMITS.groups} groups already`)
  const now = Date.now()
  const id = randomBytes(8).toString('hex')
  const row = { ...toRow(fields), id, source, position: Number(last) + 1, created_at: now, modified_at: now }
  const added = await db
    .insertInto('groups')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw new AppError('exists', 'there is a group with this name')
  await bumpAccess(db, { group: id })
  return { ...fields, id, quota: NO_QUOTA }
}

/** Sets what a group gives the homes of its members, or only that of bytes or items. */
export async function setGroupQuota(db: Db, id: string, quota: Partial<OwnQuota>): Promise<void> {
  await db.updateTable('groups').set(quotaColumns(quota)).where('id', '=', id).execute()
  await bumpAccess(db, { group: id })
}

/** @throws AppError `exists` when another group has the name */
export async function updateGroup(db: Db, id: string, fields: GroupFields): Promise<void> {
  const named = await findGroupByName(db, fields.name)
  if (named && named.id !== id) throw new AppError('exists', 'there is a group with this name')
  await db
    .updateTable('groups')
    .set({ ...toRow(fields), modified_at: Date.now() })
    .where('id', '=', id)
    .execute()
  await bumpAccess(db, { group: id })
}

/** Deletes a group; its memberships are deleted with the row. */
export async function deleteGroup(db: Db, id: string): Promise<void> {
  await bumpAccess(db, { group: id })
  await db.deleteFrom('groups').where('id', '=', id).execute()
}

/** Puts the groups in this order, behind that of all users. */
export async function orderGroups(db: Db, ids: readonly string[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    await db
      .updateTable('groups')
      .set({ position: index + 1 })
      .where('id', '=', id)
      .execute()
  }
  await bumpAccess(db, 'everyone')
}

/** The counts of each group with members, or of one. Expired memberships do not count. */
export async function countMembers(db: Db, group?: string): Promise<ReadonlyMap<string, GroupCounts>> {
  const all = db
    .selectFrom('group_members')
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', Date.now())]))
    .groupBy(['group_id', 'source'])
  const rows = await (group === undefined ? all : all.where('group_id', '=', group))
    .select(({ fn }) => ['group_id', 'source', fn.countAll<number>().as('count')])
    .execute()
  const counts = new Map<string, GroupCounts>()
  for (const [id, some] of Map.groupBy(rows, row => row.group_id)) {
    const sources = Object.fromEntries(some.map(({ source, count }) => [source, Number(count)]))
    const members = some.length === 1 ? Number(some[0]?.count) : await countDistinct(db, id)
    counts.set(id, { members, sources })
  }
  return counts
}

/** Users of a group to which several sources give members. */
async function countDistinct(db: Db, group: string): Promise<number> {
  const { count } = await db
    .selectFrom('group_members')
    .select(({ fn }) => fn.count<number>('user_id').distinct().as('count'))
    .where('group_id', '=', group)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', Date.now())]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function toGroup(row: Selectable<GroupsTable>): StoredGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    perm: { ...NO_PERMISSIONS, ...JSON.parse(row.perm) },
    rules: JSON.parse(row.rules),
    quota: quotaIn(row),
  }
}

const toRow = ({ name, description, perm, rules }: GroupFields) => ({
  name,
  name_key: keyOf(name),
  description: storable(description),
  perm: JSON.stringify(perm),
  rules: JSON.stringify(rules),
})
