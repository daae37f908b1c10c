/** Longest search text, in characters. */
export const MAX_QUERY_LENGTH = 1024
/** Words and type filters of one search text at most. */
export const MAX_QUERY_TERMS = 64

/** At the beginning of a word; a phrase whose end is not typed yet goes on to the end. */
const CONTENT = /(?<!\S)content:(?:"([^"]+)(?:"|$)|([^\s"]\S*))/g
const CASE = /case:(?:in)?sensitive/g
const TYPE = /type:(\w+)/g

/** What a search text asks for (http-api 9). */
export interface SearchQuery {
  caseSensitive: boolean
  /** Kinds or extensions of which a name must be one; none if every one fits. */
  types: string[]
  /** Of which one must be in the name, in lower case unless the case counts; none if every name fits. */
  words: string[]
  /** All of which must be in the text of a file, in lower case unless the case counts; none asks for names alone. */
  contents: string[]
}

/**
 * Reads a search text: `content:word`, `content:"two words"`, `case:sensitive`,
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
