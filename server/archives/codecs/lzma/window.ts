import { AppError } from '../../../errors.ts'
import { MAX_WINDOW } from '../../read-limits.ts'
import { corrupt } from '../../source.ts'

/** Checks the size of a dictionary. @returns it @throws unsupported when it exceeds the limit */
export function demandWindow(bytes: number): number {
  if (bytes > MAX_WINDOW) throw new AppError('unsupported', 'it needs too much memory')
  return bytes
}

/** Decompressed content, as far back as matches may reach. */
export class LzmaWindow {
  readonly #size: number
  readonly #bytes: Uint8Array
  #length = 0
  /** Where the current dictionary begins. */
  #start = 0

  /**
   * @param size bytes that matches may reach back
   * @param room bytes that are written between two calls of `begin`
   */
  constructor(size: number, room: number) {
    this.#size = size
    this.#bytes = new Uint8Array(size + Math.max(size, room))
  }

  /** Bytes in the current dictionary. */
  get length(): number {
    return this.#length - this.#start
  }

  /** Makes room for a number of bytes by dropping the oldest. */
  begin(room: number): void {
    if (this.#length + room <= this.#bytes.length) return
    const kept = Math.min(this.#length, this.#size)
    this.#bytes.copyWithin(0, this.#length - kept, this.#length)
    this.#start = Math.max(0, this.#start - (this.#length - kept))
    this.#length = kept
  }

  /** Resets the dictionary. */
  forget(): void {
    this.#start = this.#length
  }

  push(byte: number): void {
    this.#bytes[this.#length++] = byte
  }

  append(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** The byte at a distance; 1 is the last. */
  back(distance: number): number {
    return distance > this.length ? 0 : (this.#bytes[this.#length - distance] ?? 0)
  }

  /** @throws undecodable when the distance is too far */
  repeat(distance: number, count: number): void {
    if (distance > this.length || distance > this.#size) throw corrupt()
    const end = this.#length + count
    if (distance >= count)
      this.#bytes.copyWithin(this.#length, this.#length - distance, this.#length - distance + count)
    else for (let at = this.#length; at < end; at++) this.#bytes[at] = this.#bytes[at - distance] ?? 0
    this.#length = end
  }

  /** A copy of the last bytes. */
  last(count: number): Uint8Array {
    return this.#bytes.slice(this.#length - count, this.#length)
  }
}
