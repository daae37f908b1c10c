import { corrupt } from '../../source.ts'
import { FIRST_AFTER_MATCH, MIN_MATCH, STATES } from './encode-model.ts'
import { RangeDecoder } from './range-decoder.ts'
import { newProbabilities } from './range-encoder.ts'
import type { LzmaWindow } from './window.ts'

/** Maximum number of contexts by position. */
const MAX_POSITIONS = 16
/** Maximum number of input bytes of one literal or match. */
const MAX_STEP = 32
/** Longest match. */
export const MAX_MATCH = 273

/** LZMA decoder state: the last symbols, the last four distances, and a probability for every decision. */
export class LzmaDecoder {
  readonly #coder = new RangeDecoder()
  readonly #window: LzmaWindow
  #literalContext = 0
  #literalMask = 0
  #positionMask = 0
  #state = 0
  #recent = [0, 0, 0, 0] as [number, number, number, number]
  #isMatch = newProbabilities(0)
  #isRepeat = newProbabilities(0)
  #isRepeat0 = newProbabilities(0)
  #isRepeat1 = newProbabilities(0)
  #isRepeat2 = newProbabilities(0)
  #isLongRepeat0 = newProbabilities(0)
  #literals = newProbabilities(0)
  #slots = newProbabilities(0)
  #middle = newProbabilities(0)
  #align = newProbabilities(0)
  #matchLengths = new LengthDecoder()
  #repeatLengths = new LengthDecoder()
  /** Bytes since the last reset of the model; positions are relative to it. */
  #written = 0

  constructor(window: LzmaWindow) {
    this.#window = window
  }

  /** Sets the properties: literal context, literal position and position bits in one byte. @throws undecodable */
  setProperties(properties: number): void {
    const [context, positions] = [properties % 9, Math.floor(properties / 9)]
    if (properties >= 9 * 5 * 5 || context + (positions % 5) > 4) throw corrupt()
    this.#literalContext = context
    this.#literalMask = (1 << (positions % 5)) - 1
    this.#positionMask = (1 << Math.floor(positions / 5)) - 1
    this.#literals = newProbabilities(0x300 << (context + (positions % 5)))
  }

  /** Resets the model. */
  reset(): void {
    this.#state = 0
    this.#recent = [0, 0, 0, 0]
    this.#isMatch = newProbabilities(STATES * MAX_POSITIONS)
    this.#isRepeat = newProbabilities(STATES)
    this.#isRepeat0 = newProbabilities(STATES)
    this.#isRepeat1 = newProbabilities(STATES)
    this.#isRepeat2 = newProbabilities(STATES)
    this.#isLongRepeat0 = newProbabilities(STATES * MAX_POSITIONS)
    this.#literals = newProbabilities(this.#literals.length)
    this.#slots = newProbabilities(4 * 64)
    this.#middle = newProbabilities(128)
    this.#align = newProbabilities(16)
    this.#matchLengths = new LengthDecoder()
    this.#repeatLengths = new LengthDecoder()
  }

  /** After a dictionary reset or uncompressed bytes: continues with another position. */
  moved(position: number): void {
    this.#written = position
  }

  /** Bytes decompressed since the last reset of positions. */
  get written(): number {
    return this.#written
  }

  /** Decompresses `input` to exactly `length` bytes at the end of the window. @throws undecodable */
  decode(input: Uint8Array, length: number): void {
    this.#coder.begin(input)
    const end = this.#written + length
    this.#advance(end, end, 0)
    this.#coder.end()
  }

  /** Starts a stream whose chunks are fed afterwards. @param head its first five bytes @throws undecodable */
  begin(head: Uint8Array): void {
    this.#coder.begin(head)
  }

  /** Adds a chunk of input. */
  feed(chunk: Uint8Array): void {
    this.#coder.feed(chunk)
  }

  /**
   * Decompresses a number of bytes, and up to `MAX_MATCH` more.
   * @param end total number of bytes, which must not be exceeded
   * @param isLast nothing more will be fed; otherwise it stops where the input could run out
   * @returns number of new bytes at the end of the window
   * @throws undecodable
   */
  unpack(most: number, end: number, isLast: boolean): number {
    const start = this.#written
    this.#advance(Math.min(end, start + most), end, isLast ? 0 : MAX_STEP)
    return this.#written - start
  }

  /** @param margin bytes of input that must be available before every step */
  #advance(until: number, end: number, margin: number): void {
    while (this.#written < until && this.#coder.left >= margin) {
      const positioned = this.#state * MAX_POSITIONS + (this.#written & this.#positionMask)
      if (this.#coder.bit(this.#isMatch, positioned) === 0) this.#literal()
      else this.#repeat(this.#match(positioned), end)
    }
  }

  #literal(): void {
    const window = this.#window
    const high = (this.#written & this.#literalMask) << this.#literalContext
    const context = high | (window.back(1) >> (8 - this.#literalContext))
    const offset = 0x300 * context
    const plain = this.#state < FIRST_AFTER_MATCH
    window.push(plain ? this.#coder.tree(this.#literals, offset, 8) : this.#matchedLiteral(offset))
    this.#written += 1
    this.#state = this.#state < 4 ? 0 : this.#state - (this.#state < 10 ? 3 : 6)
  }

  /** The literal after a match differs from the byte that would have continued the match. */
  #matchedLiteral(offset: number): number {
    const expected = this.#window.back(this.#recent[0] + 1)
    let node = 1
    let alike = true
    for (let index = 7; index >= 0; index--) {
      const hint = (expected >>> index) & 1
      const bit = this.#coder.bit(this.#literals, offset + (alike ? ((1 + hint) << 8) + node : node))
      alike &&= bit === hint
      node = (node << 1) | bit
    }
    return node & 0xff
  }

  /** Reads the kind of a match, and makes its distance the last one. @returns its length */
  #match(positioned: number): number {
    const coder = this.#coder
    const position = this.#written & this.#positionMask
    const short = this.#state < FIRST_AFTER_MATCH
    if (coder.bit(this.#isRepeat, this.#state) === 0) {
      const length = this.#matchLengths.read(coder, position) + MIN_MATCH
      this.#recent = [this.#distance(length), this.#recent[0], this.#recent[1], this.#recent[2]]
      this.#state = short ? 7 : 10
      return length
    }
    if (coder.bit(this.#isRepeat0, this.#state) === 1) this.#chooseRecent()
    else if (coder.bit(this.#isLongRepeat0, positioned) === 0) {
      this.#state = short ? 9 : 11
      return 1
    }
    this.#state = short ? 8 : 11
    return this.#repeatLengths.read(coder, position) + MIN_MATCH
  }

  #chooseRecent(): void {
    const [a, b, c, d] = this.#recent
    if (this.#coder.bit(this.#isRepeat1, this.#state) === 0) this.#recent = [b, a, c, d]
    else if (this.#coder.bit(this.#isRepeat2, this.#state) === 0) this.#recent = [c, a, b, d]
    else this.#recent = [d, a, b, c]
  }

  #distance(length: number): number {
    const coder = this.#coder
    const slot = coder.tree(this.#slots, Math.min(length - MIN_MATCH, 3) * 64, 6)
    if (slot < 4) return slot
    const width = (slot >> 1) - 1
    const base = (2 | (slot & 1)) * 2 ** width
    if (slot < 14) return base + coder.reverseTree(this.#middle, base - slot, width)
    return base + coder.direct(width - 4) * 16 + coder.reverseTree(this.#align, 0, 4)
  }

  #repeat(length: number, end: number): void {
    if (this.#written + length > end) throw corrupt()
    this.#window.repeat(this.#recent[0] + 1, length)
    this.#written += length
  }
}

/** Lengths in three ranges: 8 short ones, 8 middle ones, 256 long ones. */
class LengthDecoder {
  readonly #choices = newProbabilities(2)
  readonly #short = newProbabilities(MAX_POSITIONS * 8)
  readonly #middle = newProbabilities(MAX_POSITIONS * 8)
  readonly #long = newProbabilities(256)

  read(coder: RangeDecoder, position: number): number {
    if (coder.bit(this.#choices, 0) === 0) return coder.tree(this.#short, position * 8, 3)
    if (coder.bit(this.#choices, 1) === 0) return 8 + coder.tree(this.#middle, position * 8, 3)
    return 16 + coder.tree(this.#long, 0, 8)
  }
}
