/** Longest search text, in characters. */
export const MAX_QUERY_LENGTH = 1024
/** Maximum words and type filters of a search text. */
export const MAX_QUERY_TERMS = 64

/** At the beginning of a word; an unclosed quote extends to the end. */
const CONTENT = /(?<!\S)content:(?:"([^"]+)(?:"|$)|([^\s"]\S*))/g
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
}

/**
 * Parses a search text: `content:word`, `content:"two words"`, `case:sensitive`,
 * `type:image|audio|music|video|<extension>`, the rest words, or one phrase in quotes.
 */
export function readSearchQuery(text: string): SearchQuery {
  const names = text.replace(CONTENT, '')
  const caseSensitive = names.includes('case:sensitive')
  const inCase = (words: string) => (caseSensitive ? words : words.toLowerCase())
  const contents = Array.from(text.matchAll(CONTENT), ([, phrase, word = '']) => inCase(phrase ?? word))
  const bare = names.replace(CASE, '')
  const types = Array.from(bare.matchAll(TYPE), ([, word = '']) => word)
  const rest = bare.replace(TYPE, '').trim()
  return { caseSensitive, types, words: wordsIn(inCase(rest)), contents }
}

function wordsIn(rest: string): string[] {
  const quoted = /^"(.*)"$/s.exec(rest)?.[1]
  const words = quoted === undefined ? rest.split(' ') : [quoted]
  return words.filter(word => word !== '')
}
