import { type FilePath, isWithin, joinPath, ROOT, trustedChild } from '../../../shared/path.ts'
import { isInOtherRoot, placeInRoot } from '../../../shared/places.ts'
import type { Db } from '../../db/schema.ts'
import type { Dependents, Leaving } from '../../files/places.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { actingUser } from '../groups/acting-user.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import {
  BOUND_TABLES,
  type Bound,
  type BoundTable,
  boundWithin,
  deleteBound,
  deleteSuspended,
  deleteWaiting,
  deleteWithin,
  follow,
  markLeaving,
  resume,
  suspendedBy,
  suspendWithin,
  tablesWithin,
  unmarkLeaving,
} from './bound.store.ts'

/**
 * Ends links, grants and what API tokens are confined to where the object is removed through this server, and lets them
 * follow one that is moved. From before that on they are bound to the object alone, so that no new object inherits one, at any server, and even if this process
 * is killed.
 */
export function endingLinks(db: Db): Dependents {
  return {
    async leaving(places, identityAt) {
      const marked: Marked[] = []
      for (const table of await tablesWithin(db, places)) marked.push(await mark(db, table, places, identityAt))
      return {
        async done(kept) {
          for (const table of await tablesWithin(db, places))
            await (kept === undefined ? deleteWithin(db, table, places) : suspendWithin(db, table, places, kept))
        },
        async moved(move) {
          for (const rows of marked) await rows.moved(move)
        },
        async failed() {
          for (const rows of marked) await rows.failed()
        },
      }
    },
    async returned(kept, from, to) {
      for (const table of BOUND_TABLES) await returnIn(db, table, kept, { from, to })
    },
    async purged(kept) {
      for (const table of BOUND_TABLES) await deleteSuspended(db, table, kept)
    },
  }
}

/** Rows of one table that are bound to their objects alone for now. */
type Marked = Pick<Leaving, 'moved' | 'failed'>

async function mark(
  db: Db,
  table: BoundTable,
  places: readonly FilePath[],
  identityAt: (place: FilePath) => Promise<string | undefined>,
): Promise<Marked> {
  const marked = (await markLeaving(db, table, places)) ? await boundWithin(db, table, places) : []
  const before = await Promise.all(marked.map(({ canonical }) => identityAt(canonical)))
  const isThere = async (index: number, at: FilePath) =>
    before[index] !== undefined && (await identityAt(at)) === before[index]
  return {
    async moved({ from, to, isMerged }) {
      for (const [index, bound] of marked.entries()) {
        const moved = isWithin(bound.canonical, from) ? await movedTo(db, table, bound, { from, to }) : undefined
        const identity = moved && (await identityAt(moved.canonical))
        if (await isThere(index, bound.canonical)) await unmarkLeaving(db, table, bound.hash)
        else if (moved && identity && (!isMerged || identity === before[index]))
          await follow(db, table, bound, { ...moved, identity })
        else await deleteBound(db, table, bound)
      }
    },
    async failed() {
      for (const [index, { hash, canonical }] of marked.entries()) {
        if (await isThere(index, canonical)) await unmarkLeaving(db, table, hash)
      }
    },
  }
}

async function returnIn(
  db: Db,
  table: BoundTable,
  kept: string,
  { from, to }: { from: FilePath; to: FilePath },
): Promise<void> {
  for (const bound of await suspendedBy(db, table, kept)) {
    if (!isWithin(bound.canonical, from)) continue
    const isElsewhere = table === 'shares' && isInOtherRoot(to) && !isInOtherRoot(from)
    const moved = isElsewhere ? undefined : await movedTo(db, table, bound, { from, to })
    // What came back outside of the owner's files is never theirs again.
    await (moved ? resume(db, table, moved) : deleteWaiting(db, table, bound))
  }
}

/** A row at its target's new place; nothing where that is out of the files of a link's owner, or the scope of a grant's. */
async function movedTo(
  db: Db,
  table: BoundTable,
  bound: Bound,
  { from, to }: { from: FilePath; to: FilePath },
): Promise<Bound | undefined> {
  if (from === to) return bound
  const canonical = joinPath(to, (bound.canonical.slice(from.length) || '/') as FilePath)
  if (table === 'token_folders') return { ...bound, path: pathBelow(bound, canonical), place: canonical, canonical }
  const owner = await findUser(db, bound.userId)
  if (owner && table === 'shares' && isInOtherRoot(canonical)) {
    const path = await pathInMount(db, owner, bound, canonical)
    return path === undefined ? undefined : { ...bound, path, place: canonical, canonical }
  }
  const scope = owner && scopeFolder(owner.scope)
  if (scope === undefined || !isWithin(canonical, scope)) return undefined
  const path = scope === '/' ? canonical : canonical.slice(scope.length) || '/'
  const slash = bound.path.endsWith('/') && path !== '/' ? '/' : ''
  return { ...bound, path: path + slash, place: canonical, canonical }
}

/**
 * The path of a link's target that lies in another root now. What was there stays the owner's, even while they have no mount of it;
 * what was not is theirs by a mount only.
 */
async function pathInMount(db: Db, owner: StoredUser, bound: Bound, now: FilePath): Promise<string | undefined> {
  const { mounts = [] } = await actingUser(db, owner)
  for (const { name, root, folder } of mounts) {
    const top = placeInRoot({ root, path: folder as FilePath })
    if (isWithin(now, top)) return joinPath(trustedChild(ROOT, name), (now.slice(top.length) || ROOT) as FilePath)
  }
  return isInOtherRoot(bound.canonical) ? bound.path : undefined
}

/**
 * The path of a folder that lies at another place now: what path and place have in common at their ends changes, be it in
 * the user's scope, in a mount or in what others share. Where the folder has left that, its path stays; each use checks
 * the object at the path.
 */
function pathBelow({ path, canonical: before }: Pick<Bound, 'path' | 'canonical'>, now: FilePath): string {
  const [shown, real] = [path.split('/'), before.split('/')]
  let common = 0
  while (common < Math.min(shown.length, real.length) - 1 && shown.at(-1 - common) === real.at(-1 - common)) common += 1
  const base = real.slice(0, real.length - common).join('/')
  if (isInOtherRoot(now) !== isInOtherRoot(before) || !isWithin(now, (base || '/') as FilePath)) return path
  return shown.slice(0, shown.length - common).join('/') + now.slice(base.length) || '/'
}
