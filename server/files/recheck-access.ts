import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Actor, Policy } from './policy.ts'

/** Milliseconds for which rights are believed: most requests are done by then. */
const BELIEVED = 100

/** Where somebody writes: their scope as a store guarded by the policy, and the policy. */
export interface Ground {
  store: StorageDriver
  policy: Policy
}

/** The checks that an operation repeats before it publishes: rights may have changed, and the session may have ended. */
export interface Again {
  /** Demands something of where the same user writes by the rights and rules of now. @throws unauthorized, not_found */
  rights(demand: (now: Ground) => Promise<void>): Promise<void>
  /** @throws unauthorized when the session has ended, not_found when the scope of its user has changed */
  session(): Promise<void>
}

/** For actors whose rights and session cannot change. */
export const unchanging: Again = { rights: async () => {}, session: async () => {} }

/** How rights are asked for again. */
export interface Asked {
  /** See `FilesDeps.actorNow`. */
  actorNow?: ((id: number, sessionId?: string) => Promise<Actor | undefined>) | undefined
  groundOf(actor: Actor): Promise<Ground>
}

/** Starts the clock of the checks for one actor. Without a session, as in jobs, `session` checks nothing. */
export function againFor(actor: Actor, { actorNow, groundOf }: Asked): Again {
  const since = performance.now()
  const current = async () => {
    if (!actorNow || actor.id === undefined || performance.now() - since < BELIEVED) return undefined
    const now = await actorNow(actor.id, actor.sessionId)
    if (!now) throw new AppError('unauthorized')
    if (now.scope !== actor.scope) throw new AppError('not_found')
    return now
  }
  return {
    async rights(demand) {
      const now = await current()
      if (now) await demand(await groundOf(now))
    },
    async session() {
      if (actor.sessionId !== undefined) await current()
    },
  }
}
