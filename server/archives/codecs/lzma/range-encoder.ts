import type { ByteSink } from '../byte-writer.ts'

const BITS = 11
/** Initial probability of a zero, in 2048ths. */
const EVEN = 1024
const ADAPTION = 5
const TOP = 2 ** 24
const OVERFLOW = 2 ** 32

export function newProbabilities(size: number): Uint16Array {
  return new Uint16Array(size).fill(EVEN)
}

/** The binary range coder of LZMA: each bit costs as much as its information content. */
export class RangeEncoder {
  readonly #out: ByteSink
  #low = 0
  #range = 0xffffffff
  #cache = 0
  /** Bytes that a carry could still change: the cached one and all 255s after it. */
  #waiting = 1

  constructor(out: ByteSink) {
    this.#out = out
  }

  reset(): void {
    this.#low = 0
    this.#range = 0xffffffff
    this.#cache = 0
    this.#waiting = 1
  }

  /** Bytes the output would have if it were finished now. */
  get size(): number {
    return this.#out.length + this.#waiting + 4
  }

  bit(probabilities: Uint16Array, at: number, value: number): void {
    const probability = probabilities[at] ?? EVEN
    const bound = (this.#range >>> BITS) * probability
    if (value === 0) {
      this.#range = bound
      probabilities[at] = probability + ((2048 - probability) >> ADAPTION)
    } else {
      this.#low += bound
      this.#range -= bound
      probabilities[at] = probability - (probability >> ADAPTION)
    }
    while (this.#range < TOP) this.#shift()
  }

  /** A number bit by bit from the top, each with a probability that depends on the bits before it. */
  tree(probabilities: Uint16Array, offset: number, width: number, value: number): void {
    let node = 1
    for (let index = width - 1; index >= 0; index--) {
      const bit = (value >>> index) & 1
      this.bit(probabilities, offset + node, bit)
      node = (node << 1) | bit
    }
  }

  /** The same from the lowest bit up. */
  reverseTree(probabilities: Uint16Array, offset: number, width: number, value: number): void {
    let node = 1
    for (let index = 0; index < width; index++) {
      const bit = (value >>> index) & 1
      this.bit(probabilities, offset + node, bit)
      node = (node << 1) | bit
    }
  }

  /** Bits with a fixed probability of one half. */
  direct(value: number, width: number): void {
    for (let index = width - 1; index >= 0; index--) {
      this.#range >>>= 1
      if ((value >>> index) & 1) this.#low += this.#range
      while (this.#range < TOP) this.#shift()
    }
  }

  finish(): void {
    for (let byte = 0; byte < 5; byte++) this.#shiftLow()
  }

  #shift(): void {
    this.#range = (this.#range << 8) >>> 0
    this.#shiftLow()
  }

  #shiftLow(): void {
    if (this.#low < 0xff000000 || this.#low >= OVERFLOW) {
      const carry = this.#low >= OVERFLOW ? 1 : 0
      for (let byte = this.#cache; this.#waiting > 0; this.#waiting--) {
        this.#out.push((byte + carry) & 0xff)
        byte = 0xff
      }
      this.#cache = Math.floor(this.#low / TOP) & 0xff
    }
    this.#waiting++
    this.#low = (this.#low % TOP) * 256
  }
}
