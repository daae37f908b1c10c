import { type SearchRange, sizeRange, timeRange } from './search-ranges.ts'

/** At the beginning of a word; an unclosed quote extends to the end. */
const CONTENT = /(?<!\S)content:(?:"([^"]+)(?:"|$)|([^\s"]\S*))/g
const TAG = /(?<!\S)tag:(?:"([^"]+)(?:"|$)|([^\s"]\S*))/g
const NOTE = /(?<!\S)note:(?:"([^"]+)(?:"|$)|([^\s"]\S*))/g
const SIZE = /(?<!\S)size:(\S+)/g
const MODIFIED = /(?<!\S)modified:(\S+)/g
const CASE = /case:(?:in)?sensitive/g
const TYPE = /type:(\w+)/g

/** A parsed search text (http-api 9). */
export interface SearchQuery {
  caseSensitive: boolean
  /** Types or extensions, one of which must match; empty matches every name. */
  types: string[]
  /** One of them must be in the name, in lower case unless case-sensitive; empty matches every name. */
  words: string[]
  /** All of them must be in the file's text, in lower case unless case-sensitive; empty means a search by name only. */
  contents: string[]
  /** All of them must contain the file's size in bytes; folders have none. */
  sizes: SearchRange[]
  /** All of them must contain the time of the last change. */
  times: SearchRange[]
  /** Names of tags, all of which the item must have, in lower case. */
  tags: string[]
  /** All of them must be in the item's note, in lower case. */
  notes: string[]
}

/**
 * Parses a search text: `content:word`, `content:"two words"`, `case:sensitive`,
 * `type:image|audio|music|video|<extension>`, `size:>10MB`, `modified:week`, `tag:name`, `note:word`, the rest words, or one
 * phrase in quotes. A size or time that cannot be parsed is a word like any other.
 * @param now milliseconds since the epoch
 */
export function readSearchQuery(text: string, now = Date.now()): SearchQuery {
  const contents: string[] = []
  const tags: string[] = []
  const notes: string[] = []
  const sizes: SearchRange[] = []
  const times: SearchRange[] = []
  const names = text
    .replace(CONTENT, (_, phrase?: string, word = '') => taken(contents, phrase ?? word))
    .replace(TAG, (_, phrase?: string, word = '') => taken(tags, (phrase ?? word).toLowerCase()))
    .replace(NOTE, (_, phrase?: string, word = '') => taken(notes, (phrase ?? word).toLowerCase()))
    .replace(SIZE, (whole, word: string) => taken(sizes, sizeRange(word), whole))
    .replace(MODIFIED, (whole, word: string) => taken(times, timeRange(word, now), whole))
  const caseSensitive = names.includes('case:sensitive')
  const inCase = (words: string) => (caseSensitive ? words : words.toLowerCase())
  const bare = names.replace(CASE, '')
  const types = Array.from(bare.matchAll(TYPE), ([, word = '']) => word)
  const rest = bare.replace(TYPE, '').trim()
  return {
    caseSensitive,
    types,
    words: wordsIn(inCase(rest)),
    contents: contents.map(inCase),
    sizes,
    times,
    tags,
    notes,
  }
}

/** Moves a part of the text into a list. @returns what replaces it in the text */
function taken<T>(list: T[], part: T | undefined, otherwise = ''): string {
  if (part === undefined) return otherwise
  list.push(part)
  return ''
}

function wordsIn(rest: string): string[] {
  const quoted = /^"(.*)"$/s.exec(rest)?.[1]
  const words = quoted === undefined ? rest.split(' ') : [quoted]
  return words.filter(word => word !== '')
}
