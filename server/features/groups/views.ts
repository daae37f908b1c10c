import { createHash } from 'node:crypto'
import { EVERYONE, type Group, type GroupMember, type UserAccess } from '../../../shared/api/groups.ts'
import type { Rule } from '../../../shared/api/users.ts'
import type { Db } from '../../db/schema.ts'
import { etagOf } from '../../responses/conditions.ts'
import { countUsers } from '../users/users.store.ts'
import type { ActingUser } from './acting-user.ts'
import { countMembers, type GroupCounts, type StoredGroup } from './groups.store.ts'
import type { StoredMember } from './members.store.ts'

/** Groups as in the API, with their counts. */
export async function groupsToWire(db: Db, groups: readonly StoredGroup[]): Promise<Group[]> {
  const counts = await countMembers(db, groups.length === 1 ? groups[0]?.id : undefined)
  const everyone = groups.some(({ id }) => id === EVERYONE) ? await countUsers(db) : 0
  const countsOf = ({ id }: Pick<StoredGroup, 'id'>): GroupCounts =>
    id === EVERYONE ? { members: everyone, sources: {} } : (counts.get(id) ?? { members: 0, sources: {} })
  return groups.map(({ quota: _, ...group }) => ({
    ...group,
    rules: [...group.rules],
    ...countsOf({ id: group.id }),
  }))
}

/** The version of a group; its members and its quota are no part of it. */
export const versionOfGroup = ({ quota: _, ...group }: StoredGroup): string => versionOf(JSON.stringify(group))

/** The version of the order of groups. */
export const versionOfOrder = (groups: readonly StoredGroup[]): string => versionOf(groups.map(({ id }) => id).join())

const versionOf = (text: string) => etagOf(createHash('sha256').update(text).digest('base64url'))

export const memberToWire = ({ id, username, sources, expiresAt }: StoredMember): GroupMember => ({
  id,
  username,
  sources,
  expires: timeOf(expiresAt),
})

/**
 * What a user may do, with the cause of each right.
 * @param globalRules shown with the others; without them no rule is shown
 */
export function accessToWire({ username, perm, own, groups }: ActingUser, globalRules?: readonly Rule[]): UserAccess {
  const shown = groups.map(({ id, name, perm: gives, sources, expiresAt }) => ({
    ...{ id, name, perm: gives, sources },
    expires: timeOf(expiresAt),
  }))
  const access = { username, perm, own: own.perm, groups: shown }
  if (!globalRules) return access
  const rules: UserAccess['rules'] = [
    ...globalRules.map(rule => ({ rule, by: 'global' as const })),
    ...groups.flatMap(({ id, name, rules: some }) =>
      some.map(rule => ({ rule, by: 'group' as const, group: { id, name } })),
    ),
    ...own.rules.map(rule => ({ rule, by: 'own' as const })),
  ]
  return { ...access, rules }
}

const timeOf = (time: number | null) => (time === null ? null : new Date(time).toISOString())
