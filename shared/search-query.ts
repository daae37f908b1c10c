/** Longest search text, in characters. */
export const MAX_QUERY_LENGTH = 1024
/** Words and type filters of one search text at most. */
export const MAX_QUERY_TERMS = 64

const CASE = /case:(?:in)?sensitive/g
const TYPE = /type:(\w+)/g

/** What a search text asks for (contract 9). */
export interface SearchQuery {
  caseSensitive: boolean
  /** Kinds or extensions of which a name must be one; none if every one fits. */
  types: string[]
  /** Of which one must be in the name, in lower case unless the case counts; none if every name fits. */
  words: string[]
}

/**
 * Reads a search text: `case:sensitive`, `type:image|audio|music|video|<extension>`, the rest words, or one phrase in
 * quotes.
 */
export function readSearchQuery(text: string): SearchQuery {
  const caseSensitive = text.includes('case:sensitive')
  const bare = text.replace(CASE, '')
  const types = Array.from(bare.matchAll(TYPE), ([, word = '']) => word)
  const rest = bare.replace(TYPE, '').trim()
  return { caseSensitive, types, words: wordsIn(caseSensitive ? rest : rest.toLowerCase()) }
}

function wordsIn(rest: string): string[] {
  const quoted = /^"(.*)"$/s.exec(rest)?.[1]
  const words = quoted === undefined ? rest.split(' ') : [quoted]
  return words.filter(word => word !== '')
}
