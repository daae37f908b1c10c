import { AppError } from '../../../errors.ts'
import { damaged } from '../../source.ts'
import { MAX_ITEMS } from './property-ids.ts'

/** Reads a header piece by piece. Everything throws `undecodable` at the end of it. */
export class Cursor {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  byte(): number {
    return this.take(1).readUInt8(0)
  }

  take(length: number): Buffer {
    if (length > this.left) throw damaged()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** A number in as many bytes as it needs: the ones at the top of the first byte say how many follow. */
  number(): number {
    const first = this.byte()
    let value = 0
    let mask = 0x80
    for (let at = 0; at < 8; at++, mask >>= 1) {
      if ((first & mask) === 0) return safe(value + (first & (mask - 1)) * 2 ** (8 * at))
      value += this.byte() * 2 ** (8 * at)
    }
    return safe(value)
  }

  /** How many things follow. @throws unsupported when they are too many */
  count(): number {
    const count = this.number()
    if (count > MAX_ITEMS) throw new AppError('unsupported', 'too much in it')
    return count
  }

  /** One bit for each of so many things. */
  bits(count: number): boolean[] {
    const bytes = this.take(Math.ceil(count / 8))
    return Array.from({ length: count }, (_, at) => ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0)
  }

  /** The same, where a byte may say that it is all of them. */
  definedOf(count: number): boolean[] {
    return this.byte() === 0 ? this.bits(count) : new Array<boolean>(count).fill(true)
  }

  /** Checksums of those that have one. */
  digests(count: number): (number | undefined)[] {
    return this.definedOf(count).map(defined => (defined ? this.take(4).readUInt32LE(0) : undefined))
  }
}

function safe(value: number): number {
  if (!Number.isSafeInteger(value)) throw damaged()
  return value
}
