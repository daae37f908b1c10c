import { type FilePath, isWithin, joinPath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import type { Dependents, Leaving } from '../../files/places.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { findUser } from '../users/users.store.ts'
import {
  type Bound,
  type BoundTable,
  boundWithin,
  deleteSuspended,
  deleteWithin,
  markLeaving,
  resume,
  suspendedBy,
  suspendWithin,
  unmarkLeaving,
} from './bound.store.ts'

/**
 * Ends links and grants whose object is removed or moved away through this server. From before that on they are bound to
 * the object alone, so that no new object inherits one, at any server, and even if this process is killed.
 */
export function endingLinks(db: Db): Dependents {
  const kinds = [endingIn(db, 'shares'), endingIn(db, 'grants')]
  return {
    async leaving(places, identityAt) {
      const all: Leaving[] = []
      for (const kind of kinds) all.push(await kind.leaving(places, identityAt))
      return {
        async done(kept) {
          for (const one of all) await one.done(kept)
        },
        async failed() {
          for (const one of all) await one.failed()
        },
      }
    },
    async returned(kept, from, to) {
      for (const kind of kinds) await kind.returned(kept, from, to)
    },
    async purged(kept) {
      for (const kind of kinds) await kind.purged(kept)
    },
  }
}

function endingIn(db: Db, table: BoundTable): Dependents {
  return {
    async leaving(places, identityAt) {
      const marked = (await markLeaving(db, table, places)) ? await boundWithin(db, table, places) : []
      const before = await Promise.all(marked.map(({ canonical }) => identityAt(canonical)))
      return {
        done: kept => (kept === undefined ? deleteWithin(db, table, places) : suspendWithin(db, table, places, kept)),
        async failed() {
          for (const [index, { hash, canonical }] of marked.entries()) {
            const there = before[index]
            if (there !== undefined && (await identityAt(canonical)) === there) await unmarkLeaving(db, table, hash)
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
