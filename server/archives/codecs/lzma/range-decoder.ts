import { corrupt } from '../../source.ts'

const PROBABILITY_BITS = 11
const ADAPTION = 5
const TOP = 2 ** 24

/** Decodes binary decisions of a range coder, each with a probability that adapts to the decoded bits. */
export class RangeDecoder {
  #input: Uint8Array = new Uint8Array()
  #at = 0
  #range = 0
  #code = 0

  /** Starts with new input. @throws undecodable */
  begin(input: Uint8Array): void {
    if (input.length < 5 || input[0] !== 0) throw corrupt()
    this.#input = input
    this.#at = 5
    this.#range = 0xffffffff
    this.#code = new DataView(input.buffer, input.byteOffset).getUint32(1)
  }

  /** Bytes of the input that have not been read. */
  get left(): number {
    return this.#input.length - this.#at
  }

  /** Appends input. */
  feed(more: Uint8Array): void {
    this.#input = Buffer.concat([this.#input.subarray(this.#at), more])
    this.#at = 0
  }

  /** @throws undecodable unless the input was read to its end */
  end(): void {
    if (this.#code !== 0 || this.#at !== this.#input.length) throw corrupt()
  }

  bit(probabilities: Uint16Array, at: number): number {
    const probability = probabilities[at] ?? 0
    const bound = (this.#range >>> PROBABILITY_BITS) * probability
    const isOne = this.#code >= bound
    if (isOne) {
      this.#range -= bound
      this.#code -= bound
      probabilities[at] = probability - (probability >> ADAPTION)
    } else {
      this.#range = bound
      probabilities[at] = probability + ((2 ** PROBABILITY_BITS - probability) >> ADAPTION)
    }
    if (this.#range < TOP) this.#refill()
    return isOne ? 1 : 0
  }

  /** A number bit by bit from the top, each with a probability that depends on the bits before it. */
  tree(probabilities: Uint16Array, offset: number, width: number): number {
    let node = 1
    for (let index = 0; index < width; index++) node = (node << 1) | this.bit(probabilities, offset + node)
    return node - (1 << width)
  }

  /** The same from the lowest bit up. */
  reverseTree(probabilities: Uint16Array, offset: number, width: number): number {
    let node = 1
    let value = 0
    for (let index = 0; index < width; index++) {
      const bit = this.bit(probabilities, offset + node)
      node = (node << 1) | bit
      value |= bit << index
    }
    return value
  }

  /** Bits with a fixed probability of one half. */
  direct(width: number): number {
    let value = 0
    for (let index = 0; index < width; index++) {
      this.#range >>>= 1
      const bit = this.#code >= this.#range ? 1 : 0
      if (bit) this.#code -= this.#range
      value = value * 2 + bit
      if (this.#range < TOP) this.#refill()
    }
    return value
  }

  #refill(): void {
    if (this.#at >= this.#input.length) throw corrupt()
    this.#range = (this.#range << 8) >>> 0
    this.#code = ((this.#code << 8) | (this.#input[this.#at++] ?? 0)) >>> 0
  }
}
