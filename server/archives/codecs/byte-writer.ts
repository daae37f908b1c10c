/** A growing buffer, written byte by byte or in runs. */
export class ByteSink {
  #bytes: Uint8Array
  #length = 0

  /** @param expected initial capacity in bytes */
  constructor(expected: number) {
    this.#bytes = new Uint8Array(Math.max(expected, 64))
  }

  get length(): number {
    return this.#length
  }

  push(byte: number): void {
    if (this.#length === this.#bytes.length) this.#grow(this.#length + 1)
    this.#bytes[this.#length++] = byte
  }

  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(this.#length + bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** A number in little-endian order. @param width bytes, at most 4 */
  pushLittleEndian(value: number, width: number): void {
    for (let index = 0; index < width; index++) this.push((value >>> (8 * index)) & 0xff)
  }

  /** The bytes written so far; valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
    larger.set(this.view())
    this.#bytes = larger
  }
}
