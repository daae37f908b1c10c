/** The order of a listing, the same on both sides (http-api 3.6). */

import { extensionOf } from './path.ts'

export const SORT_FIELDS = ['name', 'size', 'modified', 'kind'] as const
export type SortField = (typeof SORT_FIELDS)[number]

/**
 * `asc: false` with `by: 'name'` shows A→Z; with `size` and `modified` it shows the largest and newest first, with
 * `kind` the last extension. The flag is inverted for names because stored preferences and clients of the wire rely on it.
 */
export interface Sorting {
  by: SortField
  asc: boolean
}

export const DEFAULT_SORTING: Sorting = Object.freeze({ by: 'name', asc: false })

export interface Sortable {
  name: string
  size: number
  /** Milliseconds since the epoch, or an RFC 3339 text. */
  modified: number | string
  isDir: boolean
}

const DIGITS = /\d+/g
const LEADING_ZEROS = /^0+(?=\d)/
const TOO_LONG = 20
const ZERO = 48

/**
 * A key whose plain comparison is the natural order: lower-cased, before each digit run a zero and a character for its
 * length, so that `img2` comes before `img10`. Digit runs longer than an unsigned 64-bit number keep their text.
 */
export function naturalKey(name: string): string {
  return name.toLowerCase().replace(DIGITS, run => {
    const digits = run.replace(LEADING_ZEROS, '')
    return digits.length >= TOO_LONG ? run : `0${String.fromCharCode(ZERO + digits.length)}${digits}`
  })
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Compares two names or paths in the natural order. */
export const compareNames = (a: string, b: string): number => byText(naturalKey(a), naturalKey(b)) || byText(a, b)

const time = (value: number | string) => (typeof value === 'number' ? value : Date.parse(value))

/**
 * The items in the requested order; a new array. Folders come first by name and by kind, last by size when the largest
 * come first, and are mixed by time. Items of one kind are in the order of their extensions.
 * @param keyOf what the orders by `modified` and `kind` go by first: the time unless given, and the extension. For the
 *   order by `size` it gives the sizes of folders too, which are then mixed with files; those of `NaN` come last
 */
export function sortItems<T extends Sortable>(items: readonly T[], sorting: Sorting, keyOf?: (item: T) => number): T[] {
  const { by } = sorting
  const firstOf = keyOf ?? (by === 'modified' ? (item: T) => time(item.modified) : () => 0)
  const keyed = items.map(item => ({
    item,
    key: naturalKey(item.name),
    first: by === 'name' ? 0 : firstOf(item),
    extension: by === 'kind' ? extensionOf(item.name).toLowerCase() : '',
  }))
  const direction = sorting.asc ? 1 : -1
  const folders = (a: T, b: T) => Number(b.isDir) - Number(a.isDir)
  keyed.sort((a, b) => {
    const names = byText(a.key, b.key) || byText(a.item.name, b.item.name)
    if (by === 'size' && keyOf) {
      return Number(Number.isNaN(a.first)) - Number(Number.isNaN(b.first)) || (a.first - b.first) * direction || names
    }
    if (by === 'size') {
      return folders(a.item, b.item) * direction || (a.item.isDir ? 0 : a.item.size - b.item.size) * direction || names
    }
    if (by === 'modified') return (a.first - b.first) * direction || names
    if (by === 'kind') {
      if (a.item.isDir || b.item.isDir) return folders(a.item, b.item) || names
      return (a.first - b.first || byText(a.extension, b.extension)) * direction || names
    }
    return folders(a.item, b.item) || -names * direction
  })
  return keyed.map(entry => entry.item)
}
