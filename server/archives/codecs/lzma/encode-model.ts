import { newProbabilities, type RangeEncoder } from './range-encoder.ts'

/** Literal context bits 3, literal position bits 0, position bits 2: the default of most encoders. */
export const PROPERTIES = (2 * 5 + 0) * 9 + 3
const LITERAL_CONTEXT = 3
const POSITION_MASK = 3
const POSITION_STATES = 4
export const STATES = 12
export const FIRST_AFTER_MATCH = 7

export const MIN_MATCH = 2
export const MAX_MATCH = 273

/** The adaptive model of LZMA: the last symbols, the last four distances, and a probability for every decision. */
export class LzmaModel {
  readonly #coder: RangeEncoder
  #state = 0
  readonly recent = new Int32Array(4)
  readonly #isMatch = newProbabilities(STATES * POSITION_STATES)
  readonly #isRepeat = newProbabilities(STATES)
  readonly #isRepeat0 = newProbabilities(STATES)
  readonly #isRepeat1 = newProbabilities(STATES)
  readonly #isRepeat2 = newProbabilities(STATES)
  readonly #isLongRepeat0 = newProbabilities(STATES * POSITION_STATES)
  readonly #literals = newProbabilities(0x300 << LITERAL_CONTEXT)
  readonly #slots = newProbabilities(4 * 64)
  readonly #middle = newProbabilities(128)
  readonly #align = newProbabilities(16)
  readonly #matchLengths = new LengthCoder()
  readonly #repeatLengths = new LengthCoder()

  constructor(coder: RangeEncoder) {
    this.#coder = coder
  }

  literal(input: Uint8Array, at: number): void {
    this.#coder.bit(this.#isMatch, this.#positioned(at), 0)
    const context = (at > 0 ? (input[at - 1] ?? 0) : 0) >> (8 - LITERAL_CONTEXT)
    const offset = 0x300 * context
    const byte = input[at] ?? 0
    if (this.#state < FIRST_AFTER_MATCH) this.#coder.tree(this.#literals, offset, 8, byte)
    else this.#matchedLiteral(offset, byte, input[at - (this.recent[0] ?? 0) - 1] ?? 0)
    this.#state = this.#state < 4 ? 0 : this.#state - (this.#state < 10 ? 3 : 6)
  }

  /** @param distance less one: 0 is the byte before */
  match(at: number, distance: number, length: number): void {
    this.#coder.bit(this.#isMatch, this.#positioned(at), 1)
    this.#coder.bit(this.#isRepeat, this.#state, 0)
    this.#matchLengths.write(this.#coder, length - MIN_MATCH, at & POSITION_MASK)
    this.#distance(distance, length)
    this.recent.copyWithin(1, 0, 3)
    this.recent[0] = distance
    this.#state = this.#state < FIRST_AFTER_MATCH ? 7 : 10
  }

  /** A match with one of the last distances, which becomes the last one. @param which 0 to 3 */
  repeat(at: number, which: number, length: number): void {
    this.#coder.bit(this.#isMatch, this.#positioned(at), 1)
    this.#coder.bit(this.#isRepeat, this.#state, 1)
    this.#coder.bit(this.#isRepeat0, this.#state, which === 0 ? 0 : 1)
    if (which === 0) this.#coder.bit(this.#isLongRepeat0, this.#positioned(at), length === 1 ? 0 : 1)
    else {
      this.#coder.bit(this.#isRepeat1, this.#state, which === 1 ? 0 : 1)
      if (which > 1) this.#coder.bit(this.#isRepeat2, this.#state, which - 2)
      const distance = this.recent[which] ?? 0
      this.recent.copyWithin(1, 0, which)
      this.recent[0] = distance
    }
    if (length > 1) this.#repeatLengths.write(this.#coder, length - MIN_MATCH, at & POSITION_MASK)
    const after = length === 1 ? 9 : 8
    this.#state = this.#state < FIRST_AFTER_MATCH ? after : 11
  }

  #positioned(at: number): number {
    return this.#state * POSITION_STATES + (at & POSITION_MASK)
  }

  /** The literal after a match differs from the byte that would have continued the match. */
  #matchedLiteral(offset: number, byte: number, expected: number): void {
    let node = 1
    let alike = true
    for (let index = 7; index >= 0; index--) {
      const bit = (byte >>> index) & 1
      const hint = (expected >>> index) & 1
      this.#coder.bit(this.#literals, offset + (alike ? ((1 + hint) << 8) + node : node), bit)
      alike &&= bit === hint
      node = (node << 1) | bit
    }
  }

  #distance(distance: number, length: number): void {
    const slot = slotOf(distance)
    this.#coder.tree(this.#slots, Math.min(length - MIN_MATCH, 3) * 64, 6, slot)
    if (slot < 4) return
    const width = (slot >> 1) - 1
    const base = (2 | (slot & 1)) << width
    const rest = distance - base
    if (slot < 14) this.#coder.reverseTree(this.#middle, base - slot, width, rest)
    else {
      this.#coder.direct(rest >>> 4, width - 4)
      this.#coder.reverseTree(this.#align, 0, 4, rest & 15)
    }
  }
}

/** Twice the position of the highest bit, plus the bit below it. */
function slotOf(distance: number): number {
  if (distance < 4) return distance
  const top = 31 - Math.clz32(distance)
  return (top << 1) | ((distance >>> (top - 1)) & 1)
}

/** Lengths in three ranges: 8 short ones, 8 middle ones, 256 long ones. */
class LengthCoder {
  readonly #choices = newProbabilities(2)
  readonly #short = newProbabilities(POSITION_STATES * 8)
  readonly #middle = newProbabilities(POSITION_STATES * 8)
  readonly #long = newProbabilities(256)

  write(coder: RangeEncoder, length: number, position: number): void {
    coder.bit(this.#choices, 0, length < 8 ? 0 : 1)
    if (length >= 8) coder.bit(this.#choices, 1, length < 16 ? 0 : 1)
    if (length < 8) coder.tree(this.#short, position * 8, 3, length)
    else if (length < 16) coder.tree(this.#middle, position * 8, 3, length - 8)
    else coder.tree(this.#long, 0, 8, length - 16)
  }
}
