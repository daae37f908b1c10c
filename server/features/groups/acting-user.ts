import { EVERYONE } from '../../../shared/api/groups.ts'
import type { HeldMount } from '../../../shared/api/mounts.ts'
import type { Rule, User } from '../../../shared/api/users.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS, type Permissions, unionOf } from '../../../shared/permissions.ts'
import type { Db } from '../../db/schema.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { LIMITS } from '../../limits.ts'
import { findUser, findUserByName, findUsers, type StoredUser } from '../users/users.store.ts'
import { listGroupsOf, type StoredGroup } from './groups.store.ts'
import { type Membership, membershipsOf } from './members.store.ts'
import { mountsOf } from './mounts.store.ts'
import { receivesAnything } from './receives.store.ts'

/**
 * A user as they may act: permissions are the own ones with those of the groups, rules those of the groups by position
 * and then the own ones, so that the own ones win.
 */
export interface ActingUser extends StoredUser {
  own: Pick<User, 'perm' | 'rules'>
  groups: readonly ActingGroup[]
  /** The most that the user may do in what others share with them, and in mounts; missing without any. */
  receiving?: Permissions
  /** Folders of other roots; missing without any. */
  mounts?: readonly HeldMount[]
  /** The next end of a membership, a mount or a grant, in milliseconds; missing without any. */
  until?: number
}

/** A group of an acting user. */
export interface ActingGroup extends Pick<StoredGroup, 'id' | 'name' | 'perm' | 'rules' | 'quota'>, Membership {}

/** What the groups of one user give, as long as nothing about them changes. */
interface Given {
  epoch: number
  /** The next end of a membership, a mount or a grant, in milliseconds. */
  validUntil: number
  perm: Permissions
  rules: Rule[]
  groups: readonly ActingGroup[]
  /** Whether others share anything with the user. */
  receives: boolean
  mounts: readonly HeldMount[]
}

const caches = new WeakMap<Db, RecentMap<number, Given>>()

/** A user by id, as they may act at this moment; `undefined` as well for a disabled account. */
export async function findActingUser(db: Db, id: number): Promise<ActingUser | undefined> {
  const user = await findUser(db, id)
  return user && !user.isDisabled ? actingUser(db, user) : undefined
}

/** The same by name. */
export async function findActingUserByName(db: Db, username: string): Promise<ActingUser | undefined> {
  const user = await findUserByName(db, username)
  return user && !user.isDisabled ? actingUser(db, user) : undefined
}

/** Several users by id, without disabled accounts. */
export async function findActingUsers(db: Db, ids: readonly number[]): Promise<Map<number, ActingUser>> {
  const enabled = (await findUsers(db, ids)).filter(({ isDisabled }) => !isDisabled)
  const users = await Promise.all(enabled.map(user => actingUser(db, user)))
  return new Map(users.map(user => [user.id, user]))
}

/**
 * What a stored user may do. What the groups give is cached until the epoch in the user's row is another, so that a
 * change counts from the next request on every server.
 * @param user as just read: a row that was read before a change gives the access from before it
 */
export async function actingUser(db: Db, user: StoredUser | ActingUser): Promise<ActingUser> {
  if ('own' in user) return user
  const given = knownTo(db, user) ?? (await givenTo(db, user))
  return withGiven(user, given)
}

/** The user with what the groups give. */
function withGiven(user: StoredUser, { perm, rules, groups, receives, mounts, validUntil }: Given): ActingUser {
  const hasPlaces = receives || mounts.length > 0
  return {
    ...user,
    perm: unionOf(user.perm, perm),
    rules: joined(rules, user.rules),
    own: { perm: user.perm, rules: user.rules },
    groups,
    ...(hasPlaces && { receiving: ALL_PERMISSIONS }),
    ...(mounts.length > 0 && { mounts }),
    ...(Number.isFinite(validUntil) && { until: validUntil }),
  }
}

/** Both in order; a copy only where there is something to join, since every request asks. */
function joined(rules: Rule[], own: Rule[]): Rule[] {
  if (own.length === 0) return rules
  return rules.length === 0 ? own : [...rules, ...own]
}

function knownTo(db: Db, { id, accessEpoch }: StoredUser): Given | undefined {
  const given = caches.get(db)?.get(id)
  return given?.epoch === accessEpoch && given.validUntil > Date.now() ? given : undefined
}

/** The epoch is the one that was read before the groups: a change meanwhile makes the next request read them again. */
async function givenTo(db: Db, { id, accessEpoch: epoch }: StoredUser): Promise<Given> {
  const now = Date.now()
  const memberships = await membershipsOf(db, id, now)
  const groups = (await listGroupsOf(db, id)).flatMap(group => membershipIn(group, memberships))
  const ends = groups.flatMap(({ expiresAt }) => expiresAt ?? [])
  const ids = groups.map(group => group.id)
  const { mounts, endsAt } = await mountsOf(db, id, ids, now)
  const { receives, endsAt: endsOfGrants } = await receivesAnything(db, id, ids, now)
  const given: Given = {
    epoch,
    validUntil: Math.min(endsAt, endsOfGrants, ...ends),
    perm: groups.reduce((perm, group) => unionOf(perm, group.perm), NO_PERMISSIONS),
    // Frozen, it is compiled once for all requests.
    rules: Object.freeze(groups.flatMap(group => group.rules)) as Rule[],
    groups,
    receives,
    mounts,
  }
  keep(db, id, given)
  return given
}

function membershipIn(group: StoredGroup, memberships: ReadonlyMap<string, Membership>): ActingGroup[] {
  const { id, name, perm, rules, quota } = group
  const membership = id === EVERYONE ? { sources: [], expiresAt: null } : memberships.get(id)
  return membership ? [{ id, name, perm, rules, quota, ...membership }] : []
}

function keep(db: Db, id: number, given: Given): void {
  const cache = caches.get(db) ?? new RecentMap<number, Given>(LIMITS.accessCache)
  caches.set(db, cache)
  cache.set(id, given)
}
