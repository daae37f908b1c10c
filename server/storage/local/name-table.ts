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

  /** The same, by the first code units of a buffer. */
  addUnits(from: Uint16Array, length: number): void {
    const start = this.#begin(length)
    for (let at = 0; at < length; at++) this.#units[start + at] = from[at] ?? 0
  }

  /** The names from one index to before another. */
  between(from: number, to: number): string[] {
    const end = Math.min(to, this.#count)
    return from >= end ? [] : namesIn(this.#units.subarray(this.#starts[from], this.#starts[end]))
  }

  /** The names of some indices. */
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
   * Puts the indices from one place to before another into the order of their names, which is that of strings: by code
   * units. A quicksort in three parts by one unit after the other: what many names begin with is looked at once each.
   * @param alike told of places that hold the same name
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

  /** Gives the memory back; there are no names in it any more. */
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

  /** @returns where the units of one more name of this length go; the separator is there */
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

/** A buffer of so many bytes at least in the place of one that is full; its length can be divided by 8. */
export function grown(buffer: ArrayBuffer, atLeast: number): ArrayBuffer {
  return buffer.transfer(Math.ceil(Math.max(atLeast, buffer.byteLength * GROWTH) / 8) * 8)
}

/** The names in what `NameTable.toUnits` gave, or in a part that ends with a separator. */
export function namesIn(units: Uint16Array): string[] {
  const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength - 2)
  return bytes.toString('utf16le').split(SEPARATOR)
}
