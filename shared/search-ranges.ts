/** A range of sizes in bytes, or of times in milliseconds since the epoch: `from` belongs to it, `to` does not. */
export interface SearchRange {
  from?: number
  to?: number
}

/** The words for a time back from now, in days. */
export const SEARCH_SPANS = { day: 1, week: 7, month: 30, year: 365 } as const
export type SearchSpan = keyof typeof SEARCH_SPANS

const DAY = 86_400_000
const UNITS = 'bkmgt'
const SIZE = /^(\d{1,15}(?:\.\d{1,3})?)(?:([kmgt])(?:i?b)?|b)?$/i
const DATE = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z$/

/** Parses `>10MB`, `<2KiB` or `1MB..10MB`; units are binary. `undefined` for any other word. */
export function sizeRange(word: string): SearchRange | undefined {
  const [first = '', last] = word.split('..')
  if (last !== undefined) return rangeOf(bytesOf(first), bytesOf(last), [first, last], 1)
  const bytes = bytesOf(word.slice(1))
  if (bytes === undefined) return undefined
  if (word.startsWith('>')) return { from: bytes + 1 }
  return word.startsWith('<') ? { to: bytes } : undefined
}

function bytesOf(text: string): number | undefined {
  const [whole, count, unit = 'b'] = SIZE.exec(text) ?? []
  return whole === undefined ? undefined : Math.round(Number(count) * 1024 ** UNITS.indexOf(unit.toLowerCase()))
}

/**
 * Parses `week`, `2026-03-31`, or `2026-03-01..2026-03-31` of which either end may be missing. A date is the whole day in
 * UTC; an RFC 3339 time in UTC instead of a date is an instant, and as the end it is the first that is out of the range.
 * `undefined` for any other word.
 * @param now milliseconds since the epoch
 */
export function timeRange(word: string, now: number): SearchRange | undefined {
  if (Object.hasOwn(SEARCH_SPANS, word)) return { from: now - SEARCH_SPANS[word as SearchSpan] * DAY }
  const [first = '', last = first] = word.split('..')
  return rangeOf(timeOf(first), timeOf(last), [first, last], DATE.test(last) ? DAY : 0)
}

function timeOf(text: string): number | undefined {
  if (!DATE.test(text) && !INSTANT.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** @param texts of the ends, empty for an open one @param length of the last unit, which belongs to the range */
function rangeOf(
  from: number | undefined,
  to: number | undefined,
  [first, last]: readonly [string, string],
  length: number,
): SearchRange | undefined {
  const isValid = (from !== undefined || first === '') && (to !== undefined || last === '')
  if (!isValid || (from === undefined && to === undefined)) return undefined
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to: to + length }) }
}

export const isInRange = (value: number, { from = -Infinity, to = Infinity }: SearchRange): boolean =>
  value >= from && value < to
