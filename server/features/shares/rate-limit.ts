import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { countMiss, sweepGuesses } from '../users/password-throttle.store.ts'
import { digest, networkOf } from '../users/password-throttle.ts'

/** Misses (unknown links) of one network: so many in so many milliseconds. */
export const MISSES = { most: LIMITS.linkMisses, window: 60_000 }
/** Rows are swept once in so many misses. */
const SWEEP_EVERY = 100

/**
 * Limits guesses at the names of links, above all the short ones of older installations. Misses are counted in the
 * database, for all servers together; a hit costs no query. A server that did not see the last miss of a network
 * refuses it from its own first miss on.
 */
export class RateLimit {
  readonly #db: Db
  /** When a blocked network may continue, as far as this server knows, in milliseconds since the epoch. */
  readonly #until = new Map<string, number>()
  #counted = 0

  constructor(db: Db) {
    this.#db = db
  }

  /** Called before a link is looked up. @throws AppError `too_many_attempts` with the wait */
  admit(address: string): void {
    const until = this.#until.get(networkOf(address))
    if (until !== undefined) refuseUntil(until)
  }

  /** Counts an unknown link. @throws AppError `too_many_attempts` with the wait when there were too many */
  async miss(address: string): Promise<void> {
    const network = networkOf(address)
    const now = Date.now()
    this.#counted += 1
    if (this.#counted % SWEEP_EVERY === 0) await sweepGuesses(this.#db, now)
    const key = digest('misses', network)
    const { failures, forget_at: endsAt } = await countMiss(this.#db, key, now, now + MISSES.window)
    if (failures < MISSES.most) return
    this.#forget(now)
    this.#until.set(network, endsAt)
    if (failures > MISSES.most) refuseUntil(endsAt)
  }

  #forget(now: number): void {
    for (const [network, until] of this.#until) if (until <= now) this.#until.delete(network)
  }
}

function refuseUntil(until: number): void {
  const wait = until - Date.now()
  if (wait > 0) throw new AppError('too_many_attempts', 'too_many_attempts', { wait })
}
