import type { Db } from '../../db/schema.ts'
import type { Dependents } from '../../files/places.ts'
import { deleteSharesWithin, markLeaving, sharesWithin, unmarkLeaving } from './shares.store.ts'

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
        done: () => deleteSharesWithin(db, places),
        async failed() {
          for (const [index, { hash, canonical }] of marked.entries()) {
            const there = before[index]
            if (there !== undefined && (await identityAt(canonical)) === there) await unmarkLeaving(db, hash)
          }
        },
      }
    },
  }
}
