import { AppError } from '../../../errors.ts'
import { corrupt } from '../../source.ts'
import { MAX_ITEMS } from './property-ids.ts'

/** Reads a header sequentially. Every method throws `undecodable` at its end. */
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
    if (length > this.left) throw corrupt()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** A variable-length number: the leading bits of the first byte give the number of further bytes. */
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

  /** A number of items. @throws unsupported when it exceeds the limit */
  count(): number {
    const count = this.number()
    if (count > MAX_ITEMS) throw new AppError('unsupported', 'too many items in it')
    return count
  }

  /** A bit vector. */
  bits(count: number): boolean[] {
    const bytes = this.take(Math.ceil(count / 8))
    return Array.from({ length: count }, (_, at) => ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0)
  }

  /** A bit vector preceded by a byte that may mean that all bits are set. */
  definedOf(count: number): boolean[] {
    return this.byte() === 0 ? this.bits(count) : new Array<boolean>(count).fill(true)
  }

  /** Checksums of the items that have one. */
  digests(count: number): (number | undefined)[] {
    return this.definedOf(count).map(defined => (defined ? this.take(4).readUInt32LE(0) : undefined))
  }
}

function safe(value: number): number {
  if (!Number.isSafeInteger(value)) throw corrupt()
  return value
}
