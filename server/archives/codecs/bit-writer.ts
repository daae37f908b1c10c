import { ByteSink } from './byte-writer.ts'

/** Writes bits, the most significant first. */
export class BitSink {
  readonly #bytes: ByteSink
  #pending = 0
  #count = 0

  constructor(expected: number) {
    this.#bytes = new ByteSink(expected)
  }

  /** @param width at most 24 bits */
  put(value: number, width: number): void {
    this.#pending = (this.#pending << width) | value
    this.#count += width
    while (this.#count >= 8) {
      this.#count -= 8
      this.#bytes.push((this.#pending >>> this.#count) & 0xff)
    }
    this.#pending &= (1 << this.#count) - 1
  }

  put32(value: number): void {
    this.put(value >>> 16, 16)
    this.put(value & 0xffff, 16)
  }

  /** Pads the last byte with zeros. */
  finish(): Uint8Array {
    if (this.#count > 0) this.put(0, 8 - this.#count)
    return this.#bytes.view()
  }
}
