/** Stands after each name in a table; no file's name holds it. */
export const SEPARATOR = '\0'

const FIRST_UNITS = 2048
const FIRST_NAMES = 64
/** By how much a buffer that is full grows. */
const GROWTH = 1.5

/**
 * Names in one buffer, as UTF-16 code units: of very many, a fraction of the memory that as many strings take, and `free`
 * gives it back at once, where strings wait for the collector.
 */
export class NameTable {
  #units = new Uint16Array(FIRST_UNITS)
  /** Where each name ends, its separator included. */
  #ends = new Uint32Array(FIRST_NAMES)
  #count = 0

  get count(): number {
    return this.#count
  }

  add(name: string): void {
    const start = this.#startOf(this.#count)
    const end = start + name.length + 1
    this.#makeRoom(end)
    for (let at = 0; at < name.length; at++) this.#units[start + at] = name.charCodeAt(at)
    this.#units[end - 1] = 0
    this.#ends[this.#count++] = end
  }

  /** The names from one index to before another. */
  between(from: number, to: number): string[] {
    const end = Math.min(to, this.#count)
    return from >= end ? [] : namesIn(this.#units.subarray(this.#startOf(from), this.#startOf(end)))
  }

  /** How two names compare as strings do, by their code units: less than 0, 0, more than 0. */
  compare(one: number, other: number): number {
    const units = this.#units
    let at = this.#startOf(one)
    let beside = this.#startOf(other)
    while (units[at] === units[beside] && units[at] !== 0) {
      at += 1
      beside += 1
    }
    return (units[at] ?? 0) - (units[beside] ?? 0)
  }

  /** The same names in another order. This table is given back. */
  inOrder(order: Uint32Array): NameTable {
    const sorted = new NameTable()
    sorted.#units = new Uint16Array(this.#startOf(this.#count))
    sorted.#ends = new Uint32Array(this.#count)
    let end = 0
    for (const index of order) {
      const name = this.#units.subarray(this.#startOf(index), this.#ends[index])
      sorted.#units.set(name, end)
      end += name.length
      sorted.#ends[sorted.#count++] = end
    }
    this.free()
    return sorted
  }

  /** A copy for another thread; `namesIn` reads it. */
  toUnits(): Uint16Array<ArrayBuffer> {
    return this.#units.slice(0, this.#startOf(this.#count))
  }

  /** Gives the memory back; there are no names in it any more. */
  free(): void {
    this.#units = new Uint16Array(this.#units.buffer.transfer(0))
    this.#ends = new Uint32Array(this.#ends.buffer.transfer(0))
    this.#count = 0
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] ?? 0)
  }

  #makeRoom(end: number): void {
    if (end > this.#units.length) this.#units = new Uint16Array(grown(this.#units.buffer, 2 * end))
    if (this.#count === this.#ends.length) this.#ends = new Uint32Array(grown(this.#ends.buffer, 4 * (this.#count + 1)))
  }
}

/** A buffer of so many bytes at least in the place of one that is full; its length can be divided by 8. */
export function grown(buffer: ArrayBuffer, atLeast: number): ArrayBuffer {
  return buffer.transfer(Math.ceil(Math.max(atLeast, buffer.byteLength * GROWTH) / 8) * 8)
}

/** The names in what `NameTable.toUnits` gave, or in a part that ends with a separator. */
export function namesIn(units: Uint16Array): string[] {
  const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength - 2)
  return bytes.toString('utf16le').split(SEPARATOR)
}
