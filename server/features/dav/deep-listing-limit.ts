import { AppError } from '../../errors.ts'
import type { Release } from '../../lib/limit.ts'
import { LIMITS } from '../../limits.ts'

/** Milliseconds after which a refused listing may be asked for again. */
const RETRY_AFTER = 5000

/** Bounds listings of all levels, in all and of each user. */
export class DeepListingLimit {
  readonly #ofUser = new Map<number, number>()
  #all = 0

  /** @throws AppError `unavailable` */
  enter(userId: number): Release {
    const own = this.#ofUser.get(userId) ?? 0
    if (own >= LIMITS.davWalksOfUser || this.#all >= LIMITS.davWalks)
      throw new AppError('unavailable', 'unavailable', { wait: RETRY_AFTER })
    this.#ofUser.set(userId, own + 1)
    this.#all += 1
    let held = true
    return () => {
      if (held) this.#leave(userId)
      held = false
    }
  }

  #leave(userId: number): void {
    const left = (this.#ofUser.get(userId) ?? 1) - 1
    if (left > 0) this.#ofUser.set(userId, left)
    else this.#ofUser.delete(userId)
    this.#all -= 1
  }
}
