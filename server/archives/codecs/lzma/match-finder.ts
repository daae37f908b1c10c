import { equalBytes, wordAt } from '../matches.ts'
import { MAX_MATCH } from './encode-model.ts'

const HASH_BITS = 18
/** Maximum number of candidates with the same hash. */
const DEPTH = 12
/** Length of a match that ends the search. */
const NICE = 64
const MIN_LENGTH = 4

export interface Match {
  /** Less one, as in LZMA: 0 is the byte before. */
  distance: number
  /** 0 when there is none. */
  length: number
}

/** Finds the longest earlier match of the next bytes. Positions must be queried, or passed, from left to right. */
export class MatchFinder {
  readonly #input: Uint8Array
  readonly #heads = new Int32Array(1 << HASH_BITS).fill(-1)
  readonly #before: Int32Array
  #next = 0

  constructor(input: Uint8Array) {
    this.#input = input
    this.#before = new Int32Array(input.length)
  }

  longestAt(at: number): Match {
    this.passTo(at)
    const input = this.#input
    const end = Math.min(input.length, at + MAX_MATCH)
    let best = MIN_LENGTH - 1
    let distance = 0
    let candidate = at + MIN_LENGTH <= input.length ? (this.#heads[this.#hash(at)] ?? -1) : -1
    for (let tries = DEPTH; candidate >= 0 && tries > 0; tries--) {
      if (input[candidate + best] === input[at + best]) {
        const length = equalBytes(input, candidate, at, end)
        if (length > best) {
          best = length
          distance = at - candidate - 1
          if (length >= NICE || at + length >= end) break
        }
      }
      candidate = this.#before[candidate] ?? -1
    }
    return { distance, length: best < MIN_LENGTH ? 0 : best }
  }

  /** Records all positions before this one. */
  passTo(at: number): void {
    const last = Math.min(at, this.#input.length - MIN_LENGTH + 1)
    for (; this.#next < last; this.#next++) {
      const slot = this.#hash(this.#next)
      this.#before[this.#next] = this.#heads[slot] ?? -1
      this.#heads[slot] = this.#next
    }
  }

  #hash(at: number): number {
    return Math.imul(wordAt(this.#input, at), 0x9e3779b1) >>> (32 - HASH_BITS)
  }
}
