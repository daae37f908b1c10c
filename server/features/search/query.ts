import { MAX_QUERY_LENGTH, MAX_QUERY_TERMS } from '../../../shared/api/search.ts'
import { extensionOf } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { kindByName } from '../../files/kind.ts'

/** Whether a name is searched for. */
export type Matches = (name: string) => boolean

const CASE = /case:(?:in)?sensitive/g
const TYPE = /type:(\w+)/g

/** Filters that ask for a kind; any other word is an extension. */
const KINDS: Readonly<Record<string, 'image' | 'audio' | 'video'>> = {
  image: 'image',
  audio: 'audio',
  music: 'audio',
  video: 'video',
}

/**
 * Reads a search text (contract 9): `case:sensitive`, `type:image|audio|music|video|<extension>`, the rest words of
 * which one must be in the name, or one phrase in quotes. Types are alternatives, too; without types every type fits,
 * without words every name.
 * @throws AppError `bad_request` for a text longer, or with more parts, than the limits
 */
export function parseQuery(text: string): Matches {
  if (text.length > MAX_QUERY_LENGTH) {
    throw new AppError('bad_request', `query: must be no longer than ${MAX_QUERY_LENGTH} characters`)
  }
  const fold = text.includes('case:sensitive') ? (part: string) => part : (part: string) => part.toLowerCase()
  const bare = text.replace(CASE, '')
  const types = Array.from(bare.matchAll(TYPE), ([, word = '']) => typeFilter(word))
  const words = wordsIn(fold(bare.replace(TYPE, '').trim()))
  if (types.length + words.length > MAX_QUERY_TERMS) {
    throw new AppError('bad_request', `query: must have no more than ${MAX_QUERY_TERMS} words`)
  }
  return name => {
    if (types.length > 0 && !types.some(fits => fits(name))) return false
    if (words.length === 0) return true
    const folded = fold(name)
    return words.some(word => folded.includes(word))
  }
}

function typeFilter(word: string): Matches {
  const kind = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined
  if (kind) return name => kindByName(name, 0) === kind
  return name => extensionOf(name) === `.${word}`
}

function wordsIn(rest: string): string[] {
  const quoted = /^"(.*)"$/s.exec(rest)?.[1]
  const words = quoted === undefined ? rest.split(' ') : [quoted]
  return words.filter(word => word !== '')
}
