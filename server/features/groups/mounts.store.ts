import type { GivenMountRight, HeldMount } from '../../../shared/api/mounts.ts'
import type { FilePath } from '../../../shared/path.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import { quotaColumns, quotaIn } from '../../db/quota-columns.ts'
import type { Db } from '../../db/schema.ts'
import type { OwnQuota } from '../../lib/amount.ts'
import { bumpAccess, type Whom } from './epoch.store.ts'
import { keyOf } from './groups.store.ts'

/** A folder of another root that can be given to users and groups. */
export interface StoredMount {
  id: string
  name: string
  root: string
  /** In that root. */
  folder: FilePath
  readOnly: boolean
  createdAt: number
  /** Of what lies in the folder, of all users together. */
  quota: OwnQuota
}

/** To whom a mount is given. */
export type MountSubject = { kind: 'user'; id: number } | { kind: 'group'; id: string }

/** What a user or a group may do in a mount. */
export interface MountAccess {
  id: string
  mount: string
  to: MountSubject
  toName: string
  rights: readonly GivenMountRight[]
  /** When it ends, in milliseconds; null for never. */
  expiresAt: number | null
}

/** @returns whether its name is free, whatever its case and composition */
export async function insertMount(db: Db, mount: Omit<StoredMount, 'quota'>): Promise<boolean> {
  const { id, root, readOnly, createdAt } = mount
  const named = { name: toStored(mount.name), folded: toStored(keyOf(mount.name)), folder: toStored(mount.folder) }
  const { numInsertedOrUpdatedRows: made } = await db
    .insertInto('mounts')
    .values({ id, ...named, root, read_only: readOnly ? 1 : 0, created_at: createdAt })
    .onConflict(known => known.doNothing())
    .executeTakeFirst()
  return made === 1n
}

/** By name. */
export async function listMounts(db: Db): Promise<StoredMount[]> {
  const rows = await db.selectFrom('mounts').selectAll().orderBy('folded').execute()
  return rows.map(row => ({
    ...{ id: row.id, name: fromStored(row.name), root: row.root, folder: fromStored(row.folder) as FilePath },
    ...{ readOnly: row.read_only === 1, createdAt: Number(row.created_at), quota: quotaIn(row) },
  }))
}

/** Those to whom it is given have it so with their next request. @returns whether the name is free, or its own */
export async function updateMount(
  db: Db,
  id: string,
  change: Pick<StoredMount, 'name' | 'readOnly'> & { quota?: Partial<OwnQuota> },
): Promise<boolean> {
  const folded = toStored(keyOf(change.name))
  return db.transaction().execute(async transaction => {
    const twin = transaction.selectFrom('mounts').select('id').where('folded', '=', folded).where('id', '!=', id)
    if (await twin.executeTakeFirst()) return false
    const read_only = change.readOnly ? 1 : 0
    const named = { name: toStored(change.name), folded, read_only, ...quotaColumns(change.quota ?? {}) }
    await transaction.updateTable('mounts').set(named).where('id', '=', id).execute()
    for (const { to } of await listMountAccess(transaction, id)) await bumpAccess(transaction, whomOf(to))
    return true
  })
}

/** Those to whom it was given lose it with their next request. */
export async function deleteMount(db: Db, id: string): Promise<void> {
  await db.transaction().execute(async transaction => {
    const given = await listMountAccess(transaction, id)
    await transaction.deleteFrom('mounts').where('id', '=', id).execute()
    for (const { to } of given) await bumpAccess(transaction, whomOf(to))
  })
}

/** To whom mounts are given. */
export async function listMountAccess(db: Db, mount?: string): Promise<MountAccess[]> {
  const all = db
    .selectFrom('mount_access')
    .leftJoin('users', 'users.id', 'mount_access.to_user')
    .leftJoin('groups', 'groups.id', 'mount_access.to_group')
    .selectAll('mount_access')
    .select(['users.username as user_name', 'groups.name as group_name'])
    .orderBy('mount_access.created_at')
    .orderBy('mount_access.id')
  const rows = await (mount === undefined ? all : all.where('mount', '=', mount)).execute()
  return rows.map(row => ({
    id: row.id,
    mount: row.mount,
    to: row.to_user === null ? { kind: 'group', id: row.to_group ?? '' } : { kind: 'user', id: row.to_user },
    toName: row.user_name ?? row.group_name ?? '',
    rights: JSON.parse(row.rights) as GivenMountRight[],
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
  }))
}

/** Gives a mount, or changes the rights with which it is given and when it ends. */
export async function giveMount(db: Db, given: Omit<MountAccess, 'toName'>, now: number): Promise<void> {
  const { id, mount, to } = given
  const terms = { rights: JSON.stringify(given.rights), expires_at: given.expiresAt }
  await db.transaction().execute(async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('mount_access')
      .set(terms)
      .where('mount', '=', mount)
      .where(columnOf(to), '=', to.id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      const [to_user, to_group] = to.kind === 'user' ? [to.id, null] : [null, to.id]
      await transaction
        .insertInto('mount_access')
        .values({ id, mount, to_user, to_group, ...terms, created_at: now })
        .execute()
    }
    await bumpAccess(transaction, whomOf(to))
  })
}

/** @returns whether it was given */
export async function takeMount(db: Db, mount: string, to: MountSubject): Promise<boolean> {
  return db.transaction().execute(async transaction => {
    const gone = transaction.deleteFrom('mount_access').where('mount', '=', mount).where(columnOf(to), '=', to.id)
    const { numDeletedRows } = await gone.executeTakeFirst()
    await bumpAccess(transaction, whomOf(to))
    return numDeletedRows > 0n
  })
}

/** The mounts of a user by name, and the next end of one of them, in milliseconds; `Infinity` for none. */
export interface Held {
  mounts: HeldMount[]
  endsAt: number
}

/**
 * The mounts that a user has beyond `now`, the own ones and those of groups, with all the rights that they give
 * together.
 */
export async function mountsOf(db: Db, userId: number, groups: readonly string[], now: number): Promise<Held> {
  const rows = await db
    .selectFrom('mount_access')
    .innerJoin('mounts', 'mounts.id', 'mount_access.mount')
    .select([
      'mounts.id',
      'name',
      'root',
      'folder',
      'read_only',
      'mounts.created_at',
      'to_group',
      'rights',
      'expires_at',
    ])
    .where(({ or, eb }) =>
      or([eb('to_user', '=', userId), ...(groups.length > 0 ? [eb('to_group', 'in', [...groups])] : [])]),
    )
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('folded')
    .execute()
  const endsAt = Math.min(
    ...rows.map(row => (row.expires_at === null ? Number.POSITIVE_INFINITY : Number(row.expires_at))),
  )
  const mounts = [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(same => {
    const [first] = same
    if (!first) return []
    const { id, root } = first
    const given = same.map(({ to_group: group, rights }) => ({
      ...(group !== null && { group }),
      rights: JSON.parse(rights) as GivenMountRight[],
    }))
    const rights = [...new Set(given.flatMap(each => each.rights))].sort()
    const about = { name: fromStored(first.name), folder: fromStored(first.folder), since: Number(first.created_at) }
    return [{ id, root, ...about, rights, given, readOnly: first.read_only !== 0 }]
  })
  return { mounts, endsAt }
}

const columnOf = ({ kind }: MountSubject) => (kind === 'user' ? 'to_user' : 'to_group')

const whomOf = ({ kind, id }: MountSubject): Whom => (kind === 'user' ? { users: [id] } : { group: id })
