import { LIMITS } from '../../limits.ts'
import { networkOf } from '../users/guesses.ts'
import { Attempts, type Limit } from './attempts.ts'

/** Links that are not there, asked for from one address. */
export const MISSES_PER_ADDRESS: Limit = { most: LIMITS.linkMisses, window: 60_000 }

/** Slows down those who guess the names of links, the short ones of older installations above all. */
export class Brake {
  readonly #misses = new Attempts(MISSES_PER_ADDRESS)

  /** Milliseconds until an address may ask for further links. */
  waitForLinks(address: string): number {
    return this.#misses.waitOf(networkOf(address))
  }

  /** Counts a link that was not there. */
  miss(address: string): void {
    this.#misses.add(networkOf(address))
  }
}
