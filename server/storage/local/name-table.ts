/** Terminates each name in a table; no file name contains it. */
export const SEPARATOR = '\0'

const FIRST_UNITS = 2048
const FIRST_NAMES = 64
/** Growth factor of a full buffer. */
const GROWTH = 1.5

/**
 * Names in one buffer of UTF-16 code units: many names take a fraction of the memory of as many strings, and `free`
 * releases it at once, where strings wait for the garbage collector.
 */
export class NameTable {
  #units = new Uint16Array(FIRST_UNITS)
  /** Where each name starts, and where the next one will. */
  #starts = new Uint32Array(FIRST_NAMES)
  #count = 0

  get count(): number {
    return this.#count
  }

  add(name: string): void {
    const start = this.#begin(name.length)
    for (let at = 0; at < name.length; at++) this.#units[start + at] = name.charCodeAt(at)
  }

  /** Adds a name given as the first code units of a buffer. */
  addUnits(from: Uint16Array, length: number): void {
    const start = this.#begin(length)
    for (let at = 0; at < length; at++) this.#units[start + at] = from[at] ?? 0
  }

  /** The names from one index to before another. */
  between(from: number, to: number): string[] {
    const end = Math.min(to, this.#count)
    return from >= end ? [] : namesIn(this.#units.subarray(this.#starts[from], this.#starts[end]))
  }

  /** The names at some indices. */
  at(indices: Uint32Array): string[] {
    if (indices.length === 0) return []
    const length = indices.reduce((sum, index) => sum + this.#startOf(index + 1) - this.#startOf(index), 0)
    const units = new Uint16Array(length)
    let to = 0
    for (const index of indices) {
      const end = this.#startOf(index + 1)
      for (let at = this.#startOf(index); at < end; at++) units[to++] = this.#units[at] ?? 0
    }
    return namesIn(units)
  }

  /**
   * Sorts a range of indices by their names, in code unit order. A three-way radix quicksort: common prefixes are
   * compared once.
   * @param alike called with ranges of equal names
   */
  sort(order: Uint32Array, from: number, to: number, alike?: (from: number, to: number) => void): void {
    const todo = [from, to, 0]
    while (todo.length > 0) {
      const [depth = 0, end = 0, start = 0] = [todo.pop(), todo.pop(), todo.pop()]
      const pivot = this.#unitOf(order[start + Math.floor(Math.random() * (end - start))], depth)
      let [equal, at, above] = [start, start, end]
      while (at < above) {
        const unit = this.#unitOf(order[at], depth)
        if (unit === pivot) at++
        else if (unit < pivot) swap(order, equal++, at++)
        else swap(order, at, --above)
      }
      if (equal - start > 1) todo.push(start, equal, depth)
      if (end - above > 1) todo.push(above, end, depth)
      if (above - equal < 2) continue
      if (pivot === 0) alike?.(equal, above)
      else todo.push(equal, above, depth + 1)
    }
  }

  /** A copy for another thread; `namesIn` reads it. */
  toUnits(): Uint16Array<ArrayBuffer> {
    return this.#units.slice(0, this.#startOf(this.#count))
  }

  /** Releases the memory and removes all names. */
  free(): void {
    this.#units = new Uint16Array(this.#units.buffer.transfer(0))
    this.#starts = new Uint32Array(this.#starts.buffer.transfer(0))
    this.#count = 0
  }

  #startOf(index: number): number {
    return this.#starts[index] ?? 0
  }

  #unitOf(index: number | undefined, depth: number): number {
    return this.#units[this.#startOf(index ?? 0) + depth] ?? 0
  }

  /** @returns where to write the units of a new name of this length; the separator is already written */
  #begin(length: number): number {
    const start = this.#startOf(this.#count)
    const end = start + length + 1
    if (end > this.#units.length) this.#units = new Uint16Array(grown(this.#units.buffer, 2 * end))
    this.#units[end - 1] = 0
    this.#count += 1
    if (this.#count === this.#starts.length)
      this.#starts = new Uint32Array(grown(this.#starts.buffer, 4 * (this.#count + 1)))
    this.#starts[this.#count] = end
    return start
  }
}

function swap(order: Uint32Array, one: number, other: number): void {
  const index = order[one] ?? 0
  order[one] = order[other] ?? 0
  order[other] = index
}

/** A larger copy of a full buffer, of at least the given number of bytes; its length is a multiple of 8. */
export function grown(buffer: ArrayBuffer, atLeast: number): ArrayBuffer {
  return buffer.transfer(Math.ceil(Math.max(atLeast, buffer.byteLength * GROWTH) / 8) * 8)
}

/** The names in the result of `NameTable.toUnits`, or in a part that ends with a separator. */
export function namesIn(units: Uint16Array): string[] {
  const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength - 2)
  return bytes.toString('utf16le').split(SEPARATOR)
}
