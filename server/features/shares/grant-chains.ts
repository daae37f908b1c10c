import type { GivenRight } from '../../../shared/api/grants.ts'
import { allows } from '../../../shared/permissions.ts'
import type { Db } from '../../db/schema.ts'
import { type ActingUser, findActingUsers } from '../groups/acting-user.ts'
import { grantsById, grantsVia, leftBy, type StoredGrant } from './grants.store.ts'

/** The most grants in a row, each of which shares on what the one before gives. */
export const MOST_IN_A_ROW = 5

/** The grants of others that one was made from, the nearest first. */
export async function grantsBefore(db: Db, { via }: Pick<StoredGrant, 'via'>): Promise<StoredGrant[]> {
  const before: StoredGrant[] = []
  for (let next = via; next !== null && before.length < MOST_IN_A_ROW; ) {
    const [grant] = await grantsById(db, [next])
    if (!grant) break
    before.push(grant)
    next = grant.via
  }
  return before
}

/** The grants that were made from some, by any number of steps. */
export async function grantsBelow(db: Db, ids: readonly string[]): Promise<StoredGrant[]> {
  const below: StoredGrant[] = []
  for (let level = ids, depth = 0; level.length > 0 && depth < MOST_IN_A_ROW; depth += 1) {
    const found = await grantsVia(db, level)
    below.push(...found)
    level = found.map(({ id }) => id)
  }
  return below
}

/**
 * The grants that hold now, with the rights that those before them leave: what is shared on holds as long as who shares it
 * on has it and may share it.
 */
export async function heldGrants<T extends StoredGrant>(db: Db, grants: readonly T[], now: number): Promise<T[]> {
  if (grants.every(({ via }) => via === null)) return [...grants]
  const known = await allBefore(db, grants)
  const all = [...grants, ...known.values()]
  const givers = await findActingUsers(db, [...new Set(all.flatMap(({ giverId }) => giverId ?? []))])
  const left = await leftBy(db, [...known.keys()])
  const passesOn = (via: StoredGrant, giver: ActingUser) =>
    (via.expiresAt === null || via.expiresAt > now) &&
    allows(giver.perm, 'share') &&
    isFor(via, giver) &&
    !left.has(`${via.id} ${giver.id}`)
  const rightsOf = (grant: StoredGrant): readonly GivenRight[] => {
    if (grant.via === null) return grant.rights
    const [via, giver] = [known.get(grant.via), givers.get(grant.giverId ?? 0)]
    if (!via || !giver || !passesOn(via, giver)) return []
    const before = rightsOf(via)
    return mayShareOn(before) ? grant.rights.filter(right => before.includes(right)) : []
  }
  return grants.flatMap(grant => {
    const rights = rightsOf(grant)
    return rights.length > 0 ? [{ ...grant, rights }] : []
  })
}

/** Whether rights let a recipient share on. */
export const mayShareOn = (rights: readonly GivenRight[]): boolean =>
  rights.includes('share') && rights.includes('download')

async function allBefore(db: Db, grants: readonly StoredGrant[]): Promise<Map<string, StoredGrant>> {
  const known = new Map<string, StoredGrant>()
  let wanted = grants.flatMap(({ via }) => via ?? [])
  for (let depth = 0; wanted.length > 0 && depth < MOST_IN_A_ROW; depth += 1) {
    const found = await grantsById(db, [...new Set(wanted)])
    for (const grant of found) known.set(grant.id, grant)
    wanted = found.flatMap(({ via }) => (via === null || known.has(via) ? [] : via))
  }
  return known
}

const isFor = ({ to }: StoredGrant, { id, groups }: ActingUser) =>
  to.kind === 'user' ? to.id === id : groups.some(group => group.id === to.id)
