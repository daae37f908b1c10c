import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'

/** Commands of one user at a time. */
const MAX_OF_USER = LIMITS.commandsOfUser
/** Commands of everybody at a time. */
const MAX_OF_ALL = LIMITS.commands

/** Bounds how many commands there are at a time. */
export class Seats {
  readonly #taken = new Map<number, number>()
  #all = 0

  /** @returns gives the seat back @throws AppError `too_many_attempts`, `unavailable` */
  take(userId: number): () => void {
    const own = this.#taken.get(userId) ?? 0
    if (own >= MAX_OF_USER) throw new AppError('too_many_attempts')
    if (this.#all >= MAX_OF_ALL) throw new AppError('unavailable', 'too many commands run already')
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
