import { corrupt } from '../source.ts'

/** Reads bits, the most significant first. */
export class BitReader {
  readonly #bytes: Uint8Array
  #at: number
  #held = 0
  #count = 0

  /** @param at index of the first bit */
  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#at = at >> 3
    if (at % 8 > 0) this.bits(at % 8)
  }

  /** Bits read since the start of the bytes. */
  get at(): number {
    return this.#at * 8 - this.#count
  }

  /** @param width at most 24 @throws undecodable at the end */
  bits(width: number): number {
    while (this.#count < width) {
      if (this.#at >= this.#bytes.length) throw corrupt()
      this.#held = ((this.#held << 8) | (this.#bytes[this.#at++] ?? 0)) >>> 0
      this.#count += 8
    }
    this.#count -= width
    const value = this.#held >>> this.#count
    this.#held &= (1 << this.#count) - 1
    return value
  }

  bits32(): number {
    return ((this.bits(16) << 16) | this.bits(16)) >>> 0
  }
}
