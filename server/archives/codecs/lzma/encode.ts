import { equalBytes } from '../matches.ts'
import { LzmaModel, MAX_MATCH } from './encode-model.ts'
import { type Match, MatchFinder } from './match-finder.ts'
import type { RangeEncoder } from './range-encoder.ts'

/** What one step of the encoder covers. */
interface Step {
  length: number
  write(model: LzmaModel): void
}

/** Turns input into LZMA symbols: matches at a recent distance, other matches, literals. */
export class LzmaEncoder {
  readonly #input: Uint8Array
  readonly #coder: RangeEncoder
  readonly #finder: MatchFinder
  #model: LzmaModel
  /** A match found while the position before it was evaluated. */
  #ahead: Match | undefined

  constructor(input: Uint8Array, coder: RangeEncoder) {
    this.#input = input
    this.#coder = coder
    this.#finder = new MatchFinder(input)
    this.#model = new LzmaModel(coder)
  }

  /** Resets the model, as a decoder does on a state reset. */
  resetModel(): void {
    this.#model = new LzmaModel(this.#coder)
  }

  /**
   * Encodes from `start` until the coder holds `limit` bytes or `longest` bytes of input are done.
   * @returns where it stopped
   */
  encode(start: number, limit: number, longest: number): number {
    const end = Math.min(this.#input.length, start + longest - MAX_MATCH)
    const stop = Math.max(end, Math.min(this.#input.length, start + 1))
    let at = start
    while (at < stop && this.#coder.size < limit) {
      const step = this.#choose(at)
      step.write(this.#model)
      at += step.length
    }
    return at
  }

  #choose(at: number): Step {
    const match = this.#ahead ?? this.#finder.longestAt(at)
    this.#ahead = undefined
    const { which, length } = this.#longestRepeat(at)
    // Coding a recent distance costs almost nothing, a far one several bytes.
    if (length >= 2 && length + 1 + farness(match.distance) >= match.length) {
      return { length, write: model => model.repeat(at, which, length) }
    }
    if (match.length < 3 + (match.distance > 0xffff ? 1 : 0)) return this.#single(at)
    if (match.length < MAX_MATCH && at + 1 < this.#input.length) {
      const next = this.#finder.longestAt(at + 1)
      this.#ahead = next
      if (next.length > match.length + farness(next.distance) - farness(match.distance)) return this.#single(at)
      this.#ahead = undefined
    }
    return { length: match.length, write: model => model.match(at, match.distance, match.length) }
  }

  #single(at: number): Step {
    const distance = this.#model.recent[0] ?? 0
    const same = at > distance && this.#input[at] === this.#input[at - distance - 1]
    return { length: 1, write: model => (same ? model.repeat(at, 0, 1) : model.literal(this.#input, at)) }
  }

  #longestRepeat(at: number): { which: number; length: number } {
    const end = Math.min(this.#input.length, at + MAX_MATCH)
    let which = 0
    let longest = 0
    for (const [index, distance] of this.#model.recent.entries()) {
      if (distance >= at) continue
      const length = equalBytes(this.#input, at - distance - 1, at, end)
      if (length > longest) [which, longest] = [index, length]
    }
    return { which, length: longest }
  }
}

/** Estimated cost in bytes of coding a match's distance. */
const farness = (distance: number) => (distance < 0x80 ? 0 : distance < 0x8000 ? 1 : 2)
