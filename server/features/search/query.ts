import { extensionOf } from '../../../shared/path.ts'
import { MAX_QUERY_LENGTH, MAX_QUERY_TERMS, readSearchQuery } from '../../../shared/search-query.ts'
import { AppError } from '../../errors.ts'
import { kindByName } from '../../file-types/file-type.ts'
import type { WantedTexts } from '../../files/find.ts'

/** Whether a name is searched for. */
type Matches = (name: string) => boolean

export interface Query {
  matches: Matches
  /** Of which every name that matches holds one, in some case; none if a name need not hold any. */
  words: readonly string[]
  /** What the text of a file must hold; nothing for a search in names alone. */
  contents: WantedTexts | undefined
}

/** Filters that ask for a kind; any other word is an extension. */
const KINDS: Readonly<Record<string, 'image' | 'audio' | 'video'>> = {
  image: 'image',
  audio: 'audio',
  music: 'audio',
  video: 'video',
}

/**
 * What a search text finds (http-api 9): one of its words must be in the name. Types are alternatives, too; without
 * types every type fits, without words every name. Contents are looked for all together.
 * @throws AppError `bad_request` for a text longer, or with more parts, than the limits
 */
export function parseQuery(text: string): Query {
  if (text.length > MAX_QUERY_LENGTH) {
    throw new AppError('bad_request', `query: must be no longer than ${MAX_QUERY_LENGTH} characters`)
  }
  const { caseSensitive, types: wanted, words, contents: texts } = readSearchQuery(text)
  const types = wanted.map(typeFilter)
  if (types.length + words.length + texts.length > MAX_QUERY_TERMS) {
    throw new AppError('bad_request', `query: must have no more than ${MAX_QUERY_TERMS} words`)
  }
  const matches = (name: string) => {
    if (types.length > 0 && !types.some(fits => fits(name))) return false
    if (words.length === 0) return true
    const folded = caseSensitive ? name : name.toLowerCase()
    return words.some(word => folded.includes(word))
  }
  return { matches, words, contents: texts.length > 0 ? { texts, caseSensitive } : undefined }
}

function typeFilter(word: string): Matches {
  const kind = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined
  if (kind) return name => kindByName(name, 0) === kind
  return name => extensionOf(name) === `.${word}`
}
