import { SEARCH_SPANS, type SearchSpan } from '../../../shared/search-ranges.ts'
import { formatBytes, formatFacts } from '../../lib/i18n/format.ts'
import { localeTag, t } from '../../lib/i18n/index.ts'
import { dateFormat } from '../../lib/i18n/intl.ts'
import { facetOf, monthOf, SIZE_CHOICES, tagsOf, withFacet, withTag, yearOf } from './facets.ts'
import { hasType, SEARCH_TYPES, TYPE_LABELS, toggleType } from './query-text.ts'

/** A name for a search: its words, and its filters as their controls call them. */
export function nameOfSearch(query: string): string {
  const types = SEARCH_TYPES.filter(type => hasType(query, type))
  const ranges = [sizeLabel(facetOf(query, 'size')), timeLabel(facetOf(query, 'modified'))]
  const facts = [wordsOf(query, types), ...types.map(type => t(TYPE_LABELS[type])), ...ranges, ...tagsOf(query)]
  return formatFacts(facts.filter(fact => fact !== undefined && fact !== '') as string[]) || query
}

/** What a query has besides the filters that have names, without its signs. */
function wordsOf(query: string, types: readonly (typeof SEARCH_TYPES)[number][]): string {
  const rest = types.reduce(toggleType, withTag(withFacet(withFacet(query, 'size', ''), 'modified', ''), undefined))
  return rest.replaceAll(SIGNS, '').replaceAll(/\s+/g, ' ').trim()
}

const SIGNS = /(?<!\S)(?:case:(?:in)?sensitive|content:|note:|type:)|"/g

/** What the menus call a size of a query; `undefined` for none. */
export function sizeLabel(word: string): string | undefined {
  if (word === '') return undefined
  const bytes = Object.hasOwn(SIZE_CHOICES, word) ? SIZE_CHOICES[word as keyof typeof SIZE_CHOICES] : undefined
  return bytes === undefined ? rangeLabel(word, end => end) : t('found.largerThan', { size: formatBytes(bytes) })
}

/** What the menus call a time of a query; `undefined` for none. */
export function timeLabel(word: string): string | undefined {
  if (word === '') return undefined
  if (Object.hasOwn(SEARCH_SPANS, word)) return spanLabel(word as SearchSpan)
  if (monthOf(word) !== undefined) return monthLabel(word)
  return yearOf(word) === undefined ? rangeLabel(word, formatDay) : yearLabel(word)
}

/** @param word a month of a query */
export const monthLabel = (word: string): string =>
  dateFormat(localeTag(), { month: 'long', year: 'numeric' }).format(new Date(`${monthOf(word)}T00:00`))

/** @param word a year of a query */
export const yearLabel = (word: string): string =>
  dateFormat(localeTag(), { year: 'numeric' }).format(new Date(`${yearOf(word)}-07-01T00:00`))

export const spanLabel = (span: SearchSpan): string => t(`found.${span}`)

/** @param format of an end, which is not empty */
function rangeLabel(word: string, format: (end: string) => string): string {
  return word.replace(/^(.*?)(?:\.\.(.*))?$/, (_, from: string, to?: string) => {
    const [start, end] = [from, to ?? ''].map(each => (each === '' ? '' : format(each)))
    return to === undefined ? (start ?? '') : `${start} – ${end}`.trim()
  })
}

/** A date of a query, which is a day on the user's clock. */
const formatDay = (day: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(day)
    ? dateFormat(localeTag(), { dateStyle: 'medium' }).format(new Date(`${day}T00:00`))
    : day
