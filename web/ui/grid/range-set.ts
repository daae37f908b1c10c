/**
 * A set of row indices as sorted, non-touching, half-open ranges, flattened: `[2, 5, 9, 10]` holds 2, 3, 4 and 9.
 * Selecting a hundred thousand rows costs two numbers. Sets are immutable.
 */
export type RangeSet = readonly number[]

export const EMPTY: RangeSet = Object.freeze([])

/** All of `0 … count - 1`. */
export function allOf(count: number): RangeSet {
  return count > 0 ? [0, count] : EMPTY
}

/** A single index. */
export function only(index: number): RangeSet {
  return [index, index + 1]
}

/** The indices between two, both included, in either order. */
export function between(a: number, b: number): RangeSet {
  return [Math.min(a, b), Math.max(a, b) + 1]
}

/** Number of borders at or below `value`. */
function bordersUpTo(set: RangeSet, value: number): number {
  let low = 0
  let high = set.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((set[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether the index is in the set. */
export function has(set: RangeSet, index: number): boolean {
  return bordersUpTo(set, index) % 2 === 1
}

/** Number of indices in the set. */
export function sizeOf(set: RangeSet): number {
  let size = 0
  for (let at = 0; at < set.length; at += 2) size += (set[at + 1] ?? 0) - (set[at] ?? 0)
  return size
}

/** Sets or clears `start … end - 1`. */
function write(set: RangeSet, start: number, end: number, inside: boolean): RangeSet {
  if (end <= start) return set
  const from = bordersUpTo(set, start - 1)
  const to = bordersUpTo(set, end)
  const borders = set.slice(0, from)
  if ((from % 2 === 1) !== inside) borders.push(start)
  if ((to % 2 === 1) !== inside) borders.push(end)
  return borders.concat(set.slice(to))
}

/** With `start … end - 1` added. */
export function addRange(set: RangeSet, start: number, end: number): RangeSet {
  return write(set, start, end, true)
}

/** With `start … end - 1` taken out. */
export function removeRange(set: RangeSet, start: number, end: number): RangeSet {
  return write(set, start, end, false)
}

/** The union of two sets. */
export function union(a: RangeSet, b: RangeSet): RangeSet {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  const starts = [...rangesOf(a), ...rangesOf(b)].sort((one, other) => one[0] - other[0])
  const borders: number[] = []
  for (const [start, end] of starts) {
    const last = borders.at(-1)
    if (last !== undefined && start <= last) borders[borders.length - 1] = Math.max(last, end)
    else borders.push(start, end)
  }
  return borders
}

function rangesOf(set: RangeSet): [start: number, end: number][] {
  return Array.from({ length: set.length / 2 }, (_, at) => [set[2 * at] ?? 0, set[2 * at + 1] ?? 0])
}

/** Toggles the index. */
export function toggle(set: RangeSet, index: number): RangeSet {
  return write(set, index, index + 1, !has(set, index))
}

/** The indices, ascending. */
export function* indexesOf(set: RangeSet): Generator<number, void, undefined> {
  for (let at = 0; at < set.length; at += 2) {
    const end = set[at + 1] ?? 0
    for (let index = set[at] ?? 0; index < end; index += 1) yield index
  }
}

/** The items of a list at these indices, in list order. Indices beyond its end are left out. */
export function pick<T>(set: RangeSet, items: readonly T[]): T[] {
  const picked: T[] = []
  for (let at = 0; at < set.length; at += 2) {
    const end = Math.min(set[at + 1] ?? 0, items.length)
    for (let index = set[at] ?? 0; index < end; index += 1) picked.push(items[index] as T)
  }
  return picked
}

/** The set of all indices below `count` that pass the test, which is called once for each, ascending. */
export function where(count: number, test: (index: number) => boolean): RangeSet {
  const borders: number[] = []
  let inside = false
  for (let index = 0; index < count; index += 1) {
    if (test(index) === inside) continue
    borders.push(index)
    inside = !inside
  }
  if (inside) borders.push(count)
  return borders
}

/**
 * The same rows after the list changed: each row of `after` whose key was in the set before is in the result. Keys must
 * be unique within a list.
 */
export function remap<T>(
  set: RangeSet,
  before: readonly T[],
  after: readonly T[],
  keyOf: (row: T) => string,
): RangeSet {
  if (set.length === 0) return EMPTY
  const keys = new Set<string>()
  for (const row of pick(set, before)) keys.add(keyOf(row))
  return where(after.length, index => keys.has(keyOf(after[index] as T)))
}
