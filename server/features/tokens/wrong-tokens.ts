import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { networkOf } from '../users/password-throttle.ts'

const WINDOW = 60_000
/** Networks that are counted at a time; the oldest count is dropped for a new one. */
const MOST_NETWORKS = 10_000

/**
 * Counts wrong tokens by network, in this process alone: no one guesses 178 bits, the limit only bounds the work. Right
 * tokens of the same network pass.
 */
export class WrongTokens {
  readonly #counts = new Map<string, { count: number; endsAt: number }>()

  /** @throws AppError `too_many_attempts` with the wait when there were too many, else `unauthorized` */
  refuse(address: string): never {
    const network = networkOf(address)
    const now = Date.now()
    const known = this.#counts.get(network)
    const current = known && known.endsAt > now ? known : { count: 0, endsAt: now + WINDOW }
    current.count += 1
    this.#counts.delete(network)
    if (this.#counts.size >= MOST_NETWORKS) this.#counts.delete(this.#counts.keys().next().value ?? network)
    this.#counts.set(network, current)
    if (current.count <= LIMITS.wrongTokens) throw new AppError('unauthorized')
    throw new AppError('too_many_attempts', 'too_many_attempts', { wait: current.endsAt - now })
  }
}
