import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Actor, Policy } from './policy.ts'

/** Milliseconds for which a check of rights is cached: most requests are done by then. */
const CACHED_FOR = 100

/** What a user works in: their scope as a store guarded by the policy, and the policy. */
export interface FilesContext {
  store: StorageDriver
  policy: Policy
}

/**
 * The checks that an operation repeats before it publishes: rights may have changed, and the session may have ended.
 */
export interface RecheckAccess {
  /** Calls `demand` with the user's current rights and rules. @param then those of before @throws unauthorized, not_found */
  rights<T>(then: FilesContext, demand: (now: FilesContext) => Promise<T>): Promise<T>
  /** @throws unauthorized when the session has ended, not_found when the scope of its user has changed */
  session(): Promise<void>
}

/** For actors whose rights and session cannot change. */
export const unchanging: RecheckAccess = { rights: (then, demand) => demand(then), session: async () => {} }

/** How rights are rechecked. */
export interface RecheckOptions {
  /** See `FilesDeps.actorNow`. */
  actorNow?: ((id: number, sessionId?: string) => Promise<Actor | undefined>) | undefined
  contextOf(actor: Actor): Promise<FilesContext>
}

/** Creates the rechecks of one actor. Without a session, as in jobs, `session` checks nothing. */
export function recheckFor(actor: Actor, { actorNow, contextOf }: RecheckOptions): RecheckAccess {
  const since = performance.now()
  const current = async () => {
    if (!actorNow || actor.id === undefined || performance.now() - since < CACHED_FOR) return undefined
    const now = await actorNow(actor.id, actor.sessionId)
    if (!now) throw new AppError('unauthorized')
    if (now.scope !== actor.scope) throw new AppError('not_found')
    return now
  }
  return {
    async rights(then, demand) {
      const now = await current()
      return demand(now ? await contextOf(now) : then)
    },
    async session() {
      if (actor.sessionId !== undefined) await current()
    },
  }
}
