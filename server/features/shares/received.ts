import type { GivenRight } from '../../../shared/api/grants.ts'
import { nameOf, numberedName } from '../../../shared/path.ts'
import { NO_PERMISSIONS, type Permissions } from '../../../shared/permissions.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Actor } from '../../files/policy.ts'
import type { SharedItem } from '../../files/shared-item.ts'
import { type ActingUser, findActingUsers } from '../groups/acting-user.ts'
import { rebind } from './bound.store.ts'
import { heldGrants } from './grant-chains.ts'
import { grantsFor, type HeldGrant, nameGrant, namesOf, renameGrant } from './grants.store.ts'

/** A file or folder that a user receives, by one grant or by several. */
export interface Received {
  /** The first is the oldest, and names it. */
  grants: readonly [HeldGrant, ...HeldGrant[]]
  name: string
  owner: ActingUser
  rights: readonly GivenRight[]
}

/** Attempts to find a free name for a grant. */
const MOST_NAMES = 1000

/** What others share with a user now. Each thing is there once, by the name that it had at first. */
export async function receivedBy(db: Db, { id, groups = [] }: Pick<Actor, 'id' | 'groups'>): Promise<Received[]> {
  if (id === undefined) return []
  const groupIds = groups.map(group => group.id)
  const read = async () => {
    const now = Date.now()
    return heldGrants(db, await grantsFor(db, id, groupIds, now), now)
  }
  const known = await read()
  const held = (await nameNew(db, id, known)) ? await read() : known
  const owners = await findActingUsers(db, [...new Set(held.map(({ ownerId }) => ownerId))])
  return thingsOf(held).flatMap(grants => {
    const owner = owners.get(grants[0].ownerId)
    const name = grants.find(grant => grant.name !== null)?.name
    return owner && name != null ? [{ grants, name, owner, rights: rightsOf(grants) }] : []
  })
}

/** The same for the user's files. */
export async function itemsSharedWith(db: Db, actor: Actor): Promise<SharedItem[]> {
  return (await receivedBy(db, actor)).map(({ grants, grants: [first], name, owner, rights }) => ({
    name,
    owner,
    path: first.path,
    kind: first.kind,
    identity: first.identity,
    perm: permissionsOf(rights),
    since: first.createdAt,
    follows: async now => (await rebind(db, 'grants', { hash: first.id, identity: first.identity }, now)) !== 'ended',
    async rename(other) {
      const named = grants.find(grant => grant.name === name) ?? first
      if (!(await renameGrant(db, named.id, actor.id ?? 0, other))) throw new AppError('exists')
    },
  }))
}

/** Names things that the user has not seen yet. @returns whether there were any */
async function nameNew(db: Db, userId: number, held: readonly HeldGrant[]): Promise<boolean> {
  const fresh = thingsOf(held).filter(grants => grants.every(({ name }) => name === null))
  if (fresh.length === 0) return false
  const taken = await namesOf(db, userId)
  for (const [{ id, path }] of fresh) {
    for (let copy = 0; copy < MOST_NAMES; copy += 1) {
      const name = numberedName(nameOf(path), copy)
      if (taken.has(name)) continue
      await nameGrant(db, id, userId, name)
      taken.add(name)
      break
    }
  }
  return true
}

/** Grants by the thing that they are for. */
function thingsOf(held: readonly HeldGrant[]): [HeldGrant, ...HeldGrant[]][] {
  const things = Map.groupBy(held, ({ ownerId, path }) => `${ownerId} ${path}`)
  return [...things.values()] as [HeldGrant, ...HeldGrant[]][]
}

const rightsOf = (grants: readonly HeldGrant[]) => [...new Set(grants.flatMap(({ rights }) => rights))]

const permissionsOf = (rights: readonly GivenRight[]): Permissions => ({
  ...NO_PERMISSIONS,
  ...Object.fromEntries(rights.map(right => [right, true])),
})
