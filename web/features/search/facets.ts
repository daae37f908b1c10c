import { SEARCH_SPANS, type SearchSpan, sizeRange, timeRange } from '../../../shared/search-ranges.ts'
import { instantOf } from '../../lib/day.ts'
import { localMinute } from '../../lib/i18n/format.ts'

/** The words of a query that restrict size and time. */
export type Facet = 'size' | 'modified'

/** The smallest sizes that the menu offers, as words of a query. */
export const SIZE_CHOICES = {
  '>1MB': 2 ** 20,
  '>10MB': 10 * 2 ** 20,
  '>100MB': 100 * 2 ** 20,
  '>1GB': 2 ** 30,
} as const

export const SPANS = Object.keys(SEARCH_SPANS) as SearchSpan[]

const WORDS: Record<Facet, RegExp> = {
  size: /(?<!\S)size:(\S+)\s?/g,
  modified: /(?<!\S)modified:(\S+)\s?/g,
}
const TAGS = /(?<!\S)tag:(?:"([^"]+)"|([^\s"]\S*))\s?/g

const isValid = (facet: Facet, word: string) => (facet === 'size' ? sizeRange(word) : timeRange(word, 0)) !== undefined

/** What a query has after `size:` or `modified:`; `''` without such a word. */
export function facetOf(text: string, facet: Facet): string {
  return Array.from(text.matchAll(WORDS[facet]), ([, word = '']) => word).find(word => isValid(facet, word)) ?? ''
}

/** Replaces that word of a query. @param word `''` removes it */
export function withFacet(text: string, facet: Facet, word: string): string {
  const rest = text.replace(WORDS[facet], (whole, found: string) => (isValid(facet, found) ? '' : whole))
  return word === '' ? rest : `${facet}:${word} ${rest}`
}

/** The tags that a query names. */
export const tagsOf = (text: string): string[] =>
  Array.from(text.matchAll(TAGS), ([, phrase, word = '']) => (phrase ?? word).toLowerCase())

/** Replaces the tags of a query by one, or by none. */
export function withTag(text: string, name: string | undefined): string {
  const rest = text.replace(TAGS, '')
  if (name === undefined) return rest
  return /[\s"]/.test(name) ? `tag:"${name.replaceAll('"', '')}" ${rest}` : `tag:${name} ${rest}`
}

/** The ends of a range of sizes or dates as in a query; both empty for another word. */
export function endsOf(word: string): [string, string] {
  const [from = '', to] = word.split('..')
  return to === undefined ? ['', ''] : [from, to]
}

/** The word for a range; `''` if both ends are open. */
export const wordOf = (from: string, to: string): string => (from === '' && to === '' ? '' : `${from}..${to}`)

/** Years that the menu offers. */
const YEARS = 4

/** The present year and those before it, as words of a query. */
export function recentYears(now: Date): string[] {
  return Array.from({ length: YEARS }, (_, index) => {
    const year = now.getFullYear() - index
    return `${year}-01-01..${year}-12-31`
  })
}

/** This month and the one before it, as words of a query. */
export function recentMonths(now: Date): string[] {
  return [0, 1].map(back => {
    const month = localDay(new Date(now.getFullYear(), now.getMonth() - back, 1))
    return `${month}..${lastDayOf(month)}`
  })
}

/** The first day of the month that a range of days is; `undefined` for another range. */
export function monthOf(word: string): string | undefined {
  const [first = '', last] = word.split('..')
  return /^\d{4}-\d\d-01$/.test(first) && last === lastDayOf(first) ? first : undefined
}

const localDay = (date: Date): string => localMinute(date.getTime()).slice(0, 10)

/** @param first the first day of a month */
function lastDayOf(first: string): string {
  const day = new Date(`${first}T00:00`)
  return localDay(new Date(day.getFullYear(), day.getMonth() + 1, 0))
}

/** Whether a word is a range that no entry of a menu stands for. */
export const isOwnRange = (word: string): boolean =>
  word.includes('..') && yearOf(word) === undefined && monthOf(word) === undefined

/** The year that a range of days is; `undefined` for another range. */
export const yearOf = (word: string): string | undefined => /^(\d{4})-01-01\.\.\1-12-31$/.exec(word)?.[1]

/** Replaces the dates of a query, which are days on the user's clock, with instants. */
export function inLocalTime(text: string): string {
  return text.replace(/(?<!\S)modified:(\S+)/g, (whole, word: string) => {
    const [from = '', to = from] = word.split('..')
    const [start, end] = [instantOf(from, 0), instantOf(to, 1)]
    return start === undefined || end === undefined ? whole : `modified:${start}..${end}`
  })
}
