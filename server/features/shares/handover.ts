import { randomBytes } from 'node:crypto'
import type { Handover } from '../../../shared/api/handovers.ts'
import { childOf, type FilePath, isWithin, joinPath, nameOf, ROOT } from '../../../shared/path.ts'
import { allows } from '../../../shared/permissions.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Actor } from '../../files/policy.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { findActingUser } from '../groups/acting-user.ts'
import { bumpAccess } from '../groups/epoch.store.ts'
import { findUser, listUsers, type StoredUser } from '../users/users.store.ts'
import { BOUND_TABLES, boundOf, give, setOwner, suspendWithin, unsuspend } from './bound.store.ts'
import { endingLinks } from './ending.ts'
import { deleteGrantsToOwner } from './grants.store.ts'

export interface HandoverDeps {
  db: Db
  cluster: Cluster
  files: FilesService
}

/** From whom to whom, and whether the files go along. */
export interface HandoverOptions {
  from: number
  to: number
  move: boolean
}

/** Bytes of randomness in the mark of what waits for a move. */
const MARK_BYTES = 12
/** What is handed over. */
const TABLES = ['shares', 'grants'] as const

/**
 * Hands a user's links and grants over to another user, with the addresses and names that they have (http-api 43). With
 * `move` the user's home becomes a folder of the other one first, by the rights of the caller, and links and grants of
 * all users into it follow.
 * @throws AppError `not_found`; `bad_request` for one user, for a new owner who may not share, and for a home that cannot be moved; what the move throws,
 *   and nothing is handed over then
 */
export function handOver(deps: HandoverDeps, caller: Actor, given: HandoverOptions): Promise<Handover> {
  return handing(deps, given, given.move ? (from, to) => moveHome(deps, caller, from, to) : undefined)
}

/** The same while the files stay where they are. @throws AppError `not_found`, `bad_request` */
export const handOverInPlace = (deps: Pick<HandoverDeps, 'db' | 'cluster'>, given: Omit<HandoverOptions, 'move'>) =>
  handing(deps, given, undefined)

/** @param move moves the home @returns the folder in the files of its new owner */
async function handing(
  { db, cluster }: Pick<HandoverDeps, 'db' | 'cluster'>,
  given: Omit<HandoverOptions, 'move'>,
  move: ((from: StoredUser, to: StoredUser) => Promise<FilePath | undefined>) | undefined,
): Promise<Handover> {
  const [from, to] = [await demandUser(db, given.from), await demandUser(db, given.to)]
  if (from.id === to.id) throw new AppError('bad_request', 'to: must be another user')
  const heir = await findActingUser(db, to.id)
  if (!heir || !allows(heir.perm, 'share')) throw new AppError('bad_request', 'to: must be allowed to share')
  return cluster.lock(`handover:${from.id}`, async () => {
    const folder = await move?.(from, to)
    const left = await giveRest(db, from, to)
    await deleteGrantsToOwner(db, to.id)
    await bumpAccess(db, 'everyone')
    cluster.publish('access.changed', {})
    return { left, ...(folder !== undefined && { folder }) }
  })
}

async function demandUser(db: Db, id: number): Promise<StoredUser> {
  const user = await findUser(db, id)
  if (!user) throw new AppError('not_found')
  return user
}

/** @returns the folder in the files of its new owner */
async function moveHome({ db, files }: HandoverDeps, caller: Actor, from: StoredUser, to: StoredUser) {
  const source = scopeFolder(from.scope)
  if (source === ROOT) throw new AppError('bad_request', 'move: the user has no folder of their own')
  const goal = childOf(scopeFolder(to.scope), nameOf(source))
  await demandOwnHome(db, from, goal)
  const reach = scopeFolder(caller.scope)
  const [old, wanted] = [pathIn(reach, source), pathIn(reach, goal)]
  if (old === undefined || wanted === undefined) throw new AppError('forbidden')
  const { transfers } = await files.for(caller)
  const mark = `handover:${randomBytes(MARK_BYTES).toString('base64url')}`
  // What the move does not see does not end by it.
  for (const table of BOUND_TABLES) await suspendWithin(db, table, [source], mark)
  const moved = await transfers.move(old, wanted, { override: false, rename: true }).catch(async thrown => {
    for (const table of BOUND_TABLES) await unsuspend(db, table, mark)
    throw thrown
  })
  const place = joinPath(reach, moved ?? wanted)
  for (const table of TABLES) await setOwner(db, table, mark, from.id, to.id)
  await endingLinks(db).returned(mark, source, place)
  await endingLinks(db).purged(mark)
  return pathIn(scopeFolder(to.scope), place)
}

/** @throws AppError `bad_request` for a home in which another user has theirs */
async function demandOwnHome(db: Db, from: StoredUser, goal: FilePath): Promise<void> {
  const home = scopeFolder(from.scope)
  const homes = (await listUsers(db)).filter(({ id }) => id !== from.id).map(({ scope }) => scopeFolder(scope))
  if (isWithin(goal, home) || homes.some(other => isWithin(other, home))) {
    throw new AppError('bad_request', 'move: the folder is also that of another user')
  }
}

/** Gives what lies within the files of the new owner. @returns how much lies elsewhere */
async function giveRest(db: Db, from: StoredUser, to: StoredUser): Promise<number> {
  let left = 0
  for (const table of TABLES) {
    for (const bound of await boundOf(db, table, from.id)) {
      const path = pathIn(scopeFolder(to.scope), bound.canonical)
      if (path === undefined) left += 1
      else
        await give(db, table, { ...bound, path: bound.path.endsWith('/') && path !== ROOT ? `${path}/` : path }, to.id)
    }
  }
  return left
}

/** The path in a scope of a place of the served root. */
function pathIn(scope: FilePath, place: FilePath): FilePath | undefined {
  if (!isWithin(place, scope)) return undefined
  return scope === ROOT ? place : ((place.slice(scope.length) || ROOT) as FilePath)
}
