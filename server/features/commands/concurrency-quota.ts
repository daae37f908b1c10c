import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'

/** Concurrent commands of one user. */
const MAX_OF_USER = LIMITS.commandsOfUser
/** Concurrent commands of all users. */
const MAX_OF_ALL = LIMITS.commands

/** Limits the number of concurrent commands. */
export class ConcurrencyQuota {
  readonly #taken = new Map<number, number>()
  #all = 0

  /** @returns releases the slot @throws AppError `too_many_attempts`, `unavailable` */
  take(userId: number): () => void {
    const own = this.#taken.get(userId) ?? 0
    if (own >= MAX_OF_USER) throw new AppError('too_many_attempts')
    if (this.#all >= MAX_OF_ALL) throw new AppError('unavailable', 'too many commands are running')
    this.#taken.set(userId, own + 1)
    this.#all += 1
    return () => this.#leave(userId)
  }

  #leave(userId: number): void {
    const left = (this.#taken.get(userId) ?? 0) - 1
    if (left > 0) this.#taken.set(userId, left)
    else this.#taken.delete(userId)
    this.#all -= 1
  }
}
