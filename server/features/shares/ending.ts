import { type FilePath, isWithin, joinPath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import type { Dependents } from '../../files/places.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { findUser } from '../users/users.store.ts'
import {
  deleteSharesWithin,
  deleteSuspendedShares,
  markLeaving,
  resumeShare,
  type StoredShare,
  sharesWithin,
  suspendedShares,
  suspendSharesWithin,
  unmarkLeaving,
} from './shares.store.ts'

/**
 * Ends links whose object is removed or moved away through this server. From before that on they are bound to the
 * object alone, so that no new object inherits one, at any server, and even if this process is killed.
 */
export function endingLinks(db: Db): Dependents {
  return {
    async leaving(places, identityAt) {
      const marked = (await markLeaving(db, places)) ? await sharesWithin(db, places) : []
      const before = await Promise.all(marked.map(({ canonical }) => identityAt(canonical)))
      return {
        done: kept => (kept === undefined ? deleteSharesWithin(db, places) : suspendSharesWithin(db, places, kept)),
        async failed() {
          for (const [index, { hash, canonical }] of marked.entries()) {
            const there = before[index]
            if (there !== undefined && (await identityAt(canonical)) === there) await unmarkLeaving(db, hash)
          }
        },
      }
    },
    async returned(kept, from, to) {
      for (const share of await suspendedShares(db, kept)) {
        if (!isWithin(share.canonical, from)) continue
        const moved = await movedShare(db, share, from, to)
        if (moved) await resumeShare(db, moved)
      }
    },
    purged: kept => deleteSuspendedShares(db, kept),
  }
}

/** The link at its target's new place; nothing where that is out of its owner's scope. */
async function movedShare(db: Db, share: StoredShare, from: FilePath, to: FilePath): Promise<StoredShare | undefined> {
  if (from === to) return share
  const owner = await findUser(db, share.userId)
  const canonical = joinPath(to, (share.canonical.slice(from.length) || '/') as FilePath)
  const scope = owner && scopeFolder(owner.scope)
  if (scope === undefined || !isWithin(canonical, scope)) return undefined
  const path = scope === '/' ? canonical : canonical.slice(scope.length) || '/'
  const slash = share.path.endsWith('/') && path !== '/' ? '/' : ''
  return { ...share, path: path + slash, place: canonical, canonical }
}
