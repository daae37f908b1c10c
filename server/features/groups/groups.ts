import { EVERYONE, LONGEST_GROUP_NAME } from '../../../shared/api/groups.ts'
import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { lockForChanges } from '../../db/lock.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { OwnQuota } from '../../lib/amount.ts'
import { LIMITS } from '../../limits.ts'
import { checkRules } from '../settings/checks.ts'
import type { ConfirmDeps } from '../users/confirm-password.ts'
import { checkUsername } from '../users/names.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import {
  deleteGroup,
  findGroup,
  type GroupFields,
  groupsByKey,
  insertGroup,
  keyOf,
  listGroups,
  orderGroups,
  type StoredGroup,
  setGroupQuota,
  updateGroup,
} from './groups.store.ts'
import { deleteMember, isMember, MANUAL, replaceMemberships, setMember, someMembers } from './members.store.ts'

export interface GroupDeps {
  db: Db
  cluster: Cluster
}

/** Of calls that need the caller's password where the host requires it. */
export interface GroupRouteDeps extends GroupDeps, ConfirmDeps {
  config: { requireCurrentPassword: boolean }
}

/** A check of the stored state before a change. @throws AppError, which leaves everything as it was */
export type Expectation<T> = (state: T) => void

/** Names, positions and memberships concern all groups. */
const LOCK = 'groups'
/** With more users than this a change is announced for all at once. */
const MOST_ANNOUNCED = 100

/** Runs a change in a transaction, its own or that of the caller. */
function inOrder<T>({ db, cluster }: GroupDeps, act: (db: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return act(db)
  const change = async (transaction: Db) => {
    await lockForChanges(transaction)
    return act(transaction)
  }
  return cluster.lock(LOCK, () => db.transaction().execute(change))
}

/** @throws AppError `bad_request`; `exists` when the name is taken or there are too many groups */
export async function addGroup(deps: GroupDeps, fields: GroupFields): Promise<StoredGroup> {
  checkFields(fields)
  return inOrder(deps, db => insertGroup(db, fields))
}

/**
 * Replaces all fields of a group.
 * @throws AppError `not_found`, `bad_request`, `exists`; `bad_request` when the group of all users would get a name,
 *   rules, or the permission to administrate or to run programs
 */
export async function changeGroup(
  deps: GroupDeps,
  id: string,
  fields: GroupFields,
  expect: Expectation<StoredGroup> = () => {},
): Promise<StoredGroup> {
  checkFields(fields)
  if (id === EVERYONE) checkEveryone(fields)
  const quota = await inOrder(deps, async db => {
    const before = await demandGroup(db, id)
    expect(before)
    await updateGroup(db, id, fields)
    return before.quota
  })
  await announceGroup(deps, id)
  return { ...fields, id, quota }
}

/** Sets the quota that a group gives; see `setGroupQuota`. @throws AppError `not_found` */
export async function changeGroupQuota(deps: GroupDeps, id: string, quota: Partial<OwnQuota>): Promise<StoredGroup> {
  const group = await inOrder(deps, async db => {
    const found = await demandGroup(db, id)
    await setGroupQuota(db, id, quota)
    return found
  })
  await announceGroup(deps, id)
  return { ...group, quota: { ...group.quota, ...quota } }
}

/** Deletes a group with its memberships. @throws AppError `not_found`; `forbidden` for the group of all users */
export async function removeGroup(deps: GroupDeps, id: string): Promise<StoredGroup> {
  if (id === EVERYONE) throw new AppError('forbidden', 'the group of all users stays')
  const members = await someMembers(deps.db, id, MOST_ANNOUNCED + 1)
  const group = await inOrder(deps, async db => {
    const found = await demandGroup(db, id)
    await deleteGroup(db, id)
    return found
  })
  announce(deps, members)
  return group
}

/** @throws AppError `bad_request` unless these are all groups but that of all users, each once */
export async function reorderGroups(
  deps: GroupDeps,
  ids: readonly string[],
  expect: Expectation<readonly StoredGroup[]> = () => {},
): Promise<void> {
  await inOrder(deps, async db => {
    const groups = await listGroups(db)
    expect(groups)
    const known = new Set(groups.map(({ id }) => id).filter(id => id !== EVERYONE))
    const isWhole = ids.length === known.size && new Set(ids).size === ids.length && ids.every(id => known.has(id))
    if (!isWhole) throw new AppError('bad_request', 'ids: must name every group once')
    await orderGroups(db, ids)
  })
  deps.cluster.publish('access.changed', {})
}

/** Puts a user into a group by hand. @throws AppError `not_found`; `bad_request` for the group of all users */
export async function addMember(
  deps: GroupDeps,
  id: string,
  userId: number,
  expiresAt: number | null = null,
): Promise<{ group: StoredGroup; user: StoredUser }> {
  if (id === EVERYONE) throw new AppError('bad_request', 'all users are in this group')
  const found = await inOrder(deps, async db => {
    const both = await demandBoth(db, id, userId)
    await setMember(db, id, { userId, source: MANUAL, expiresAt })
    return both
  })
  announce(deps, [userId])
  return found
}

/**
 * Takes a user out of a group.
 * @throws AppError `not_found`; `exists` when only a provider gives the membership
 */
export async function removeMember(
  deps: GroupDeps,
  id: string,
  userId: number,
): Promise<{ group: StoredGroup; user: StoredUser }> {
  const found = await inOrder(deps, async db => {
    const both = await demandBoth(db, id, userId)
    if (await deleteMember(db, id, userId, MANUAL)) return both
    if (await isMember(db, id, userId)) throw new AppError('exists', 'a provider gives this membership')
    throw new AppError('not_found')
  })
  announce(deps, [userId])
  return found
}

/** Groups that a source brings with a user. */
export interface Imports {
  names: readonly string[]
  /** Of the groups that are made. */
  description: string
}

/**
 * Replaces the memberships that one source gives to a user; unknown groups are left out.
 * @param imports groups of the source itself: a missing one is made, and one of the same name that the source did not
 *   bring is left alone
 */
export async function syncMemberships(
  deps: GroupDeps,
  userId: number,
  source: string,
  names: readonly string[],
  imports: Imports = { names: [], description: '' },
): Promise<void> {
  const changed = await inOrder(deps, async db => {
    const known = await groupsByKey(db)
    const given = names.flatMap(name => known.get(keyOf(name))?.id ?? [])
    const brought = await importGroups(db, known, source, imports)
    const groups = [...given, ...brought].filter(id => id !== EVERYONE)
    return replaceMemberships(db, userId, source, groups)
  })
  if (changed) announce(deps, [userId])
}

/** The ids of the groups that a source brings. Names that no group can have, and more than may exist, are left out. */
async function importGroups(
  db: Db,
  known: Map<string, { id: string; source: string }>,
  source: string,
  { names, description }: Imports,
): Promise<string[]> {
  const ids: string[] = []
  for (const name of names.filter(isName)) {
    const key = keyOf(name)
    if (!known.has(key) && known.size <= LIMITS.groups) {
      const { id } = await insertGroup(db, { name, description, perm: NO_PERMISSIONS, rules: [] }, source)
      known.set(key, { id, source })
    }
    const group = known.get(key)
    if (group?.source === source) ids.push(group.id)
  }
  return ids
}

function isName(name: string): boolean {
  try {
    checkName(name)
    return true
  } catch {
    return false
  }
}

function checkFields({ name, rules }: GroupFields): void {
  checkName(name)
  checkRules(rules, 'rules')
}

/** A group is called as a user may be. */
function checkName(name: string): void {
  if ([...name].length > LONGEST_GROUP_NAME)
    throw new AppError('bad_request', `name: must not have more than ${LONGEST_GROUP_NAME} characters`)
  try {
    checkUsername(name)
  } catch (cause) {
    throw new AppError('bad_request', 'name: cannot be used', { cause })
  }
}

/** Global rules are in the settings, once. */
function checkEveryone({ name, perm, rules }: GroupFields): void {
  if (name !== EVERYONE) throw new AppError('bad_request', 'name: the group of all users keeps its name')
  if (rules.length > 0) throw new AppError('bad_request', 'rules: those for all users are in the settings')
  if (perm.admin || perm.execute) {
    throw new AppError('bad_request', 'perm: all users cannot administrate or run programs')
  }
}

async function demandGroup(db: Db, id: string): Promise<StoredGroup> {
  const group = await findGroup(db, id)
  if (!group) throw new AppError('not_found')
  return group
}

async function demandBoth(db: Db, id: string, userId: number): Promise<{ group: StoredGroup; user: StoredUser }> {
  const group = await demandGroup(db, id)
  const user = await findUser(db, userId)
  if (!user) throw new AppError('not_found')
  return { group, user }
}

async function announceGroup(deps: GroupDeps, id: string): Promise<void> {
  if (id === EVERYONE) deps.cluster.publish('access.changed', {})
  else announce(deps, await someMembers(deps.db, id, MOST_ANNOUNCED + 1))
}

/** Ends at once what these users may no longer do; each request reads their rights in any case. */
function announce({ cluster }: GroupDeps, users: readonly number[]): void {
  if (users.length > MOST_ANNOUNCED) cluster.publish('access.changed', {})
  else for (const id of users) cluster.publish('user.changed', { id })
}
