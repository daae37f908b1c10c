import { naturalKey, type Sorting } from '../../../shared/sorting.ts'
import { NameTable } from './name-table.ts'

/** Names processed per slice. */
const SLICE = 1000

/**
 * Indices of the names in the order that `sortItems` gives them when sorting by name, without an object for each of
 * very many.
 */
export function orderOf(
  names: NameTable,
  isFolder: (index: number) => boolean,
  { asc }: Pick<Sorting, 'asc'>,
): Uint32Array {
  const keys = keysOf(names)
  const order = new Uint32Array(names.count)
  const folders = gather(order, 0, isFolder)
  gather(order, folders, index => !isFolder(index))
  for (const [from, to] of [
    [0, folders],
    [folders, order.length],
  ] as const) {
    keys.sort(order, from, to, (one, other) => names.sort(order, one, other))
    if (asc) order.subarray(from, to).reverse()
  }
  keys.free()
  return order
}

/** Indices of the names in the order of `<`. */
export function plainOrderOf(names: NameTable): Uint32Array {
  const order = Uint32Array.from({ length: names.count }, (_, index) => index)
  names.sort(order, 0, order.length)
  return order
}

function keysOf(names: NameTable): NameTable {
  const keys = new NameTable()
  for (let from = 0; from < names.count; from += SLICE) {
    for (const name of names.between(from, from + SLICE)) addKey(keys, name)
  }
  return keys
}

/** Buffer for the code units of one key at a time. */
const key = new Uint16Array(1024)
/** Longest name, in code units, whose key always fits. */
const MOST = key.length / 3
const [ASCII, UPPER_A, UPPER_Z, ZERO, NINE] = [128, 65, 90, 48, 57]
const LOWER = 32
/** Runs of at least this many digits are compared as text. */
const TOO_LONG = 20

/** Adds the `naturalKey` of a name; most are ASCII only and need no temporary string. */
function addKey(keys: NameTable, name: string): void {
  const length = name.length > MOST ? undefined : writeKey(name)
  if (length === undefined) keys.add(naturalKey(name))
  else keys.addUnits(key, length)
}

/** Writes the key of a name. @returns its length in code units, `undefined` for a name that is not ASCII */
function writeKey(name: string): number | undefined {
  let end = 0
  for (let at = 0; at < name.length; ) {
    const unit = name.charCodeAt(at)
    if (unit >= ASCII) return undefined
    if (isDigit(unit)) {
      const after = endOfDigits(name, at)
      const first = firstDigit(name, at, after)
      if (after - first < TOO_LONG) {
        key[end++] = ZERO
        key[end++] = ZERO + after - first
        at = first
      }
      while (at < after) key[end++] = name.charCodeAt(at++)
    } else {
      key[end++] = unit >= UPPER_A && unit <= UPPER_Z ? unit + LOWER : unit
      at++
    }
  }
  return end
}

const isDigit = (unit: number) => unit >= ZERO && unit <= NINE

function endOfDigits(name: string, from: number): number {
  let at = from + 1
  while (at < name.length && isDigit(name.charCodeAt(at))) at++
  return at
}

/** The first digit of a run after its leading zeros; the last where all are zeros. */
function firstDigit(name: string, from: number, after: number): number {
  let at = from
  while (at < after - 1 && name.charCodeAt(at) === ZERO) at++
  return at
}

/** Writes the indices that satisfy a condition from a position in the order on. @returns where they end */
function gather(order: Uint32Array, from: number, isWanted: (index: number) => boolean): number {
  let at = from
  for (let index = 0; index < order.length; index++) if (isWanted(index)) order[at++] = index
  return at
}
