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

/** Demands something of where the same user writes by the rights and rules of now, if others may have become of them. */
export type Again = (demand: (now: Ground) => Promise<void>) => Promise<void>

/** How rights are asked for again. */
export interface Asked {
  /** A user as they are now, unless they are gone. Without it everybody keeps the rights that they came with. */
  actorNow?: ((id: number) => Promise<Actor | undefined>) | undefined
  groundOf(actor: Actor): Promise<Ground>
}

/** For what an actor begins now. It throws unauthorized (they are gone), not_found (what they see is another place now). */
export function againFor(actor: Actor, { actorNow, groundOf }: Asked): Again {
  const since = performance.now()
  return async demand => {
    if (!actorNow || actor.id === undefined || performance.now() - since < BELIEVED) return
    const now = await actorNow(actor.id)
    if (!now) throw new AppError('unauthorized')
    if (now.scope !== actor.scope) throw new AppError('not_found')
    await demand(await groundOf(now))
  }
}
