import { readSearchQuery } from '../../../shared/search-query.ts'

/** The types that have a button. */
export const SEARCH_TYPES = ['image', 'audio', 'video', 'pdf'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

export const TYPE_LABELS = {
  image: 'search.typeImage',
  audio: 'search.typeAudio',
  video: 'search.typeVideo',
  pdf: 'search.typePdf',
} as const satisfies Record<SearchType, string>

export function hasType(text: string, type: SearchType): boolean {
  return readSearchQuery(text).types.includes(type)
}

/** Adds `type:…` to a query, or removes it. */
export function toggleType(text: string, type: SearchType): string {
  if (!hasType(text, type)) return `type:${type} ${text}`
  return text.replaceAll(new RegExp(`type:${type}(?!\\w) ?`, 'g'), '')
}

/** Whether a query itself restricts the search to contents. */
export const namesContents = (text: string): boolean => readSearchQuery(text).contents.length > 0

/** The query for a search in contents instead of names; `''` without words. */
export function inContents(text: string): string {
  if (namesContents(text)) return text
  const filters = text.match(FILTERS) ?? []
  const words = text.replaceAll(FILTERS, ' ').match(/"[^"]+"|[^\s"]+/g) ?? []
  if (words.length === 0) return ''
  return [...filters, ...words.map(word => `content:${word}`)].join(' ')
}

const FILTERS =
  /(?<!\S)(?:type:\w+|case:(?:in)?sensitive|size:\S+|modified:\S+|(?:tag|note):(?:"[^"]+"|[^\s"]\S*))(?!\S)/g

/** The inverse. */
export const withoutContents = (text: string): string => text.replaceAll(/(?<!\S)content:/g, '')

/** A piece of a name, and whether it matches. */
export interface NamePiece {
  text: string
  found: boolean
  /** Its offset in the name. */
  start: number
}

/** Splits a name at the matches of a query's words. */
export function markName(name: string, query: string): NamePiece[] {
  const { words, caseSensitive } = readSearchQuery(query)
  return markWords(name, words, caseSensitive)
}

/** Splits a line of a file at the matches of a content query. */
export function markLine(line: string, query: string): NamePiece[] {
  const { contents, caseSensitive } = readSearchQuery(query)
  return markWords(line, contents, caseSensitive)
}

function markWords(name: string, words: readonly string[], caseSensitive: boolean): NamePiece[] {
  const folded = caseSensitive ? name : name.toLowerCase()
  // Where lower-casing changes the length, offsets would not match.
  const found = folded.length === name.length ? placesOf(folded, words) : []
  const pieces: NamePiece[] = []
  let at = 0
  for (const [start, end] of found) {
    if (end <= at) continue
    const from = Math.max(at, start)
    if (from > at) pieces.push({ text: name.slice(at, from), found: false, start: at })
    const last = pieces.at(-1)
    if (last?.found && from === at) last.text += name.slice(from, end)
    else pieces.push({ text: name.slice(from, end), found: true, start: from })
    at = end
  }
  if (at < name.length) pieces.push({ text: name.slice(at), found: false, start: at })
  return pieces
}

/** Matches of the words, as start and end, sorted by start. */
function placesOf(folded: string, words: readonly string[]): [number, number][] {
  const places = words.flatMap(word => {
    const own: [number, number][] = []
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      own.push([at, at + word.length])
    }
    return own
  })
  return places.sort(([a], [b]) => a - b)
}
