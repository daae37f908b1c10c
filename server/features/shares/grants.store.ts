import type { Selectable } from 'kysely'
import type { GivenRight } from '../../../shared/api/grants.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { GrantsTable } from '../../db/grants-schema.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import { bumpAccess } from '../groups/epoch.store.ts'

/** Who a grant is for. */
export type Subject = { kind: 'user'; id: number } | { kind: 'group'; id: string }

/** A grant as stored. */
export interface StoredGrant {
  id: string
  ownerId: number
  /** In the owner's scope, symbolic links resolved. */
  path: FilePath
  /** The same in the served root. */
  place: FilePath
  identity: string
  kind: 'file' | 'folder'
  to: Subject
  rights: readonly GivenRight[]
  note: string
  /** Milliseconds since the epoch; null for never. */
  expiresAt: number | null
  createdAt: number
  /** The grant by which who shares it on has it; null for what its owner shares. */
  via: string | null
  /** Who shares it on; null for its owner. */
  giverId: number | null
}

/** A grant with the names of its recipient, of its owner, and of who shares it on. */
export type NamedGrant = StoredGrant & { toName: string; owner: string; giver: string | null }

/** A grant as one recipient has it. */
export type HeldGrant = StoredGrant & { name: string | null }

export async function insertGrant(db: Db, grant: StoredGrant): Promise<void> {
  await db.transaction().execute(async transaction => {
    await transaction
      .insertInto('grants')
      .values({
        hash: grant.id,
        user_id: grant.ownerId,
        path: toStored(grant.path),
        place: toStored(grant.place),
        canonical: toStored(grant.place),
        identity: grant.identity,
        kind: grant.kind,
        leaving: 0,
        suspended: null,
        to_user: grant.to.kind === 'user' ? grant.to.id : null,
        to_group: grant.to.kind === 'group' ? grant.to.id : null,
        rights: JSON.stringify(grant.rights),
        note: grant.note,
        expires_at: grant.expiresAt,
        created_at: grant.createdAt,
        via: grant.via,
        giver_id: grant.giverId,
      })
      .execute()
    await bumpAccess(transaction, whomOf(grant.to))
  })
}

/** What a change of a grant sets. */
export type GrantUpdate = Partial<Pick<StoredGrant, 'rights' | 'note' | 'expiresAt'>>

/** Changes a grant; an empty change leaves it as it is. */
export async function updateGrant(db: Db, { id, to }: StoredGrant, change: GrantUpdate): Promise<void> {
  const { rights, note, expiresAt } = change
  const columns = {
    ...(rights !== undefined && { rights: JSON.stringify(rights) }),
    ...(note !== undefined && { note }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }
  if (Object.keys(columns).length === 0) return
  await db.transaction().execute(async transaction => {
    await transaction.updateTable('grants').set(columns).where('hash', '=', id).execute()
    await bumpAccess(transaction, whomOf(to))
  })
}

/** Those that were made from it end as well. @param below these */
export async function deleteGrant(
  db: Db,
  { id, to }: StoredGrant,
  below: readonly Pick<StoredGrant, 'to'>[] = [],
): Promise<void> {
  await db.transaction().execute(async transaction => {
    await transaction.deleteFrom('grants').where('hash', '=', id).execute()
    await bumpAccess(transaction, whomOf(to))
    for (const other of below) await bumpAccess(transaction, whomOf(other.to))
  })
}

/** Grants that serve: of one owner, all that a user has made or that are for the user's own files, or all; the oldest first. */
export async function listGrants(
  db: Db,
  filter: { ownerId?: number; givenBy?: number; path?: FilePath; id?: string },
): Promise<NamedGrant[]> {
  let query = named(db)
  const { givenBy } = filter
  if (filter.ownerId !== undefined) query = query.where('grants.user_id', '=', filter.ownerId)
  if (givenBy !== undefined)
    query = query.where(({ or, eb }) => or([eb('grants.user_id', '=', givenBy), eb('grants.giver_id', '=', givenBy)]))
  if (filter.path !== undefined) query = query.where('grants.path', '=', toStored(filter.path))
  if (filter.id !== undefined) query = query.where('grants.hash', '=', filter.id)
  const rows = await query.orderBy('grants.created_at').orderBy('grants.hash').execute()
  return rows.map(row => ({
    ...toGrant(row),
    ...{ owner: row.owner, giver: row.giver, toName: row.user_name ?? row.group_name ?? '' },
  }))
}

const named = (db: Db) =>
  db
    .selectFrom('grants')
    .innerJoin('users as owners', 'owners.id', 'grants.user_id')
    .leftJoin('users as givers', 'givers.id', 'grants.giver_id')
    .leftJoin('users as receivers', 'receivers.id', 'grants.to_user')
    .leftJoin('groups', 'groups.id', 'grants.to_group')
    .selectAll('grants')
    .select([
      'owners.username as owner',
      'givers.username as giver',
      'receivers.username as user_name',
      'groups.name as group_name',
    ])
    .where('grants.suspended', 'is', null)

/** The number of grants that a user has made. */
export async function countGrants(db: Db, userId: number): Promise<number> {
  const counted = db
    .selectFrom('grants')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ or, and, eb }) =>
      or([eb('giver_id', '=', userId), and([eb('user_id', '=', userId), eb('giver_id', 'is', null)])]),
    )
  return Number((await counted.executeTakeFirst())?.count ?? 0)
}

/** Grants that serve, by their ids. */
export async function grantsById(db: Db, ids: readonly string[]): Promise<StoredGrant[]> {
  if (ids.length === 0) return []
  const serving = db.selectFrom('grants').selectAll().where('suspended', 'is', null)
  return (await serving.where('hash', 'in', [...ids]).execute()).map(toGrant)
}

/** Grants that were made from some, by one step. */
export async function grantsVia(db: Db, ids: readonly string[]): Promise<StoredGrant[]> {
  if (ids.length === 0) return []
  return (
    await db
      .selectFrom('grants')
      .selectAll()
      .where('via', 'in', [...ids])
      .execute()
  ).map(toGrant)
}

/** Who has left some grants: the id of the grant and of the user. */
export async function leftBy(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const left = db.selectFrom('grant_names').select(['grant', 'user_id']).where('left_at', 'is not', null)
  const rows = await left.where('grant', 'in', [...ids]).execute()
  return new Set(rows.map(row => `${row.grant} ${row.user_id}`))
}

/** Grants of others that hold for a user now and that the user has not left, the oldest first. */
export async function grantsFor(db: Db, userId: number, groups: readonly string[], now: number): Promise<HeldGrant[]> {
  const rows = await db
    .selectFrom('grants')
    .leftJoin('grant_names', join => join.onRef('grant', '=', 'hash').on('grant_names.user_id', '=', userId))
    .selectAll('grants')
    .select(['grant_names.name as held_name', 'grant_names.left_at'])
    .where('grants.suspended', 'is', null)
    .where('grants.user_id', '!=', userId)
    .where('grant_names.left_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where(({ or, eb }) =>
      or([eb('to_user', '=', userId), ...(groups.length > 0 ? [eb('to_group', 'in', [...groups])] : [])]),
    )
    .orderBy('grants.created_at')
    .orderBy('grants.hash')
    .execute()
  return rows.map(row => ({ ...toGrant(row), name: row.held_name === null ? null : fromStored(row.held_name) }))
}

/** The names that a user has given out, also for what the user has left. */
export async function namesOf(db: Db, userId: number): Promise<Set<string>> {
  const rows = await db.selectFrom('grant_names').select('name').where('user_id', '=', userId).execute()
  return new Set(rows.map(({ name }) => fromStored(name)))
}

/** Names a grant for a recipient, unless it has a name or the name is taken. */
export async function nameGrant(db: Db, grant: string, userId: number, name: string): Promise<void> {
  await db
    .insertInto('grant_names')
    .values({ grant, user_id: userId, name: toStored(name), left_at: null })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Gives a grant another name for a recipient. @returns whether the name was free */
export async function renameGrant(db: Db, grant: string, userId: number, name: string): Promise<boolean> {
  const known = db.selectFrom('grant_names as others').select('others.grant').where('others.user_id', '=', userId)
  const { numUpdatedRows } = await db
    .updateTable('grant_names')
    .set({ name: toStored(name) })
    .where('grant', '=', grant)
    .where('user_id', '=', userId)
    .where(({ not, exists }) => not(exists(known.where('others.name', '=', toStored(name)))))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes that a recipient has left grants. */
export async function leaveGrants(db: Db, grants: readonly string[], userId: number, now: number): Promise<void> {
  for (const grant of grants) {
    await db
      .insertInto('grant_names')
      .values({ grant, user_id: userId, name: `/${grant}`, left_at: now })
      .onConflict(conflict => conflict.columns(['grant', 'user_id']).doUpdateSet({ name: `/${grant}`, left_at: now }))
      .execute()
  }
}

const whomOf = (to: Subject) => (to.kind === 'user' ? { users: [to.id] } : { group: to.id })

function toGrant(row: Selectable<GrantsTable>): StoredGrant {
  return {
    id: row.hash,
    ownerId: row.user_id,
    path: fromStored(row.path) as FilePath,
    place: fromStored(row.canonical) as FilePath,
    identity: row.identity,
    kind: row.kind,
    to: row.to_user === null ? { kind: 'group', id: row.to_group ?? '' } : { kind: 'user', id: row.to_user },
    rights: JSON.parse(row.rights),
    note: row.note,
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    createdAt: Number(row.created_at),
    via: row.via,
    giverId: row.giver_id,
  }
}

/** Deletes what a user would share with themselves. */
export async function deleteGrantsToOwner(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('grants').where('user_id', '=', userId).where('to_user', '=', userId).execute()
}
