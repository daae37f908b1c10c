import { type FilePath, isWithin, joinPath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import { allOf, type Dependents, type PlaceMove } from '../../files/places.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { findUser } from '../users/users.store.ts'
import {
  type Bound,
  type BoundTable,
  boundWithin,
  deleteBound,
  deleteSuspended,
  deleteWithin,
  follow,
  markLeaving,
  resume,
  suspendedBy,
  suspendWithin,
  unmarkLeaving,
} from './bound.store.ts'

/**
 * Ends links and grants whose object is removed through this server, and lets them follow one that is moved. From before
 * that on they are bound to the object alone, so that no new object inherits one, at any server, and even if this process
 * is killed.
 */
export const endingLinks = (db: Db): Dependents => allOf([endingIn(db, 'shares'), endingIn(db, 'grants')])

function endingIn(db: Db, table: BoundTable): Dependents {
  return {
    async leaving(places, identityAt) {
      const marked = (await markLeaving(db, table, places)) ? await boundWithin(db, table, places) : []
      const before = await Promise.all(marked.map(({ canonical }) => identityAt(canonical)))
      const isThere = async (index: number, at: FilePath) =>
        before[index] !== undefined && (await identityAt(at)) === before[index]
      return {
        done: kept => (kept === undefined ? deleteWithin(db, table, places) : suspendWithin(db, table, places, kept)),
        async moved({ from, to, isMerged }: PlaceMove) {
          for (const [index, bound] of marked.entries()) {
            const moved = isWithin(bound.canonical, from) ? await movedTo(db, bound, from, to) : undefined
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
    },
    async returned(kept, from, to) {
      for (const bound of await suspendedBy(db, table, kept)) {
        if (!isWithin(bound.canonical, from)) continue
        const moved = await movedTo(db, bound, from, to)
        if (moved) await resume(db, table, moved)
      }
    },
    purged: kept => deleteSuspended(db, table, kept),
  }
}

/** A link or grant at its target's new place; nothing where that is out of its owner's scope. */
async function movedTo(db: Db, bound: Bound, from: FilePath, to: FilePath): Promise<Bound | undefined> {
  if (from === to) return bound
  const owner = await findUser(db, bound.userId)
  const canonical = joinPath(to, (bound.canonical.slice(from.length) || '/') as FilePath)
  const scope = owner && scopeFolder(owner.scope)
  if (scope === undefined || !isWithin(canonical, scope)) return undefined
  const path = scope === '/' ? canonical : canonical.slice(scope.length) || '/'
  const slash = bound.path.endsWith('/') && path !== '/' ? '/' : ''
  return { ...bound, path: path + slash, place: canonical, canonical }
}
