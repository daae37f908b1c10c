import { extensionOf } from '../../../shared/path.ts'
import { MAX_QUERY_LENGTH, MAX_QUERY_TERMS } from '../../../shared/search-limits.ts'
import { readSearchQuery } from '../../../shared/search-query.ts'
import { isInRange, type SearchRange } from '../../../shared/search-ranges.ts'
import { AppError } from '../../errors.ts'
import { kindByName } from '../../file-types/file-type.ts'
import type { DatedEntry, FoundEntry, WantedTexts } from '../../files/find.ts'

/** Whether a name matches. */
type Matches = (name: string) => boolean

export interface Query {
  matches: Matches
  /** Every matching name contains one of these, in any case; empty if there is no such condition. */
  words: readonly string[]
  /** The text that a file must contain; `undefined` for a search in names only. */
  contents: WantedTexts | undefined
  /** Names of tags that the entry must have, in lower case. */
  tags: readonly string[]
  /** What the entry's note must contain, in lower case. */
  notes: readonly string[]
  /** Whether the size matches; `undefined` if there is no such condition. */
  hasSize: ((entry: Pick<FoundEntry, 'kind' | 'size'>) => boolean) | undefined
  /** Whether size and time match; `undefined` if there is no such condition. */
  fits: ((entry: DatedEntry) => boolean) | undefined
}

/** Filters by kind; any other word is an extension. */
const KINDS: Readonly<Record<string, 'image' | 'audio' | 'video'>> = {
  image: 'image',
  audio: 'audio',
  music: 'audio',
  video: 'video',
}

/**
 * Parses a search text (http-api 9): one of its words must be in the name. Types are alternatives, too; without types
 * every type matches, without words every name. Contents, sizes, times, tags and notes must all match.
 * @throws AppError `bad_request` for a text longer, or with more parts, than the limits
 */
export function parseQuery(text: string): Query {
  if (text.length > MAX_QUERY_LENGTH) {
    throw new AppError('bad_request', `query: must be no longer than ${MAX_QUERY_LENGTH} characters`)
  }
  const { caseSensitive, types: wanted, words, contents: texts, sizes, times, tags, notes } = readSearchQuery(text)
  const types = wanted.map(typeFilter)
  const terms = [types, words, texts, sizes, times, tags, notes].reduce((count, { length }) => count + length, 0)
  if (terms > MAX_QUERY_TERMS) {
    throw new AppError('bad_request', `query: must have no more than ${MAX_QUERY_TERMS} words`)
  }
  const matches = (name: string) => {
    if (types.length > 0 && !types.some(fits => fits(name))) return false
    if (words.length === 0) return true
    const folded = caseSensitive ? name : name.toLowerCase()
    return words.some(word => folded.includes(word))
  }
  const contents = texts.length > 0 ? { texts, caseSensitive } : undefined
  return { matches, words, contents, tags, notes, ...rangeFilters(sizes, times) }
}

function rangeFilters(sizes: readonly SearchRange[], times: readonly SearchRange[]): Pick<Query, 'hasSize' | 'fits'> {
  const hasSize = ({ kind, size }: Pick<FoundEntry, 'kind' | 'size'>) =>
    sizes.length === 0 || (kind === 'file' && sizes.every(range => isInRange(size, range)))
  const fits = (entry: DatedEntry) => hasSize(entry) && times.every(range => isInRange(entry.modified, range))
  return {
    hasSize: sizes.length > 0 ? hasSize : undefined,
    fits: sizes.length + times.length > 0 ? fits : undefined,
  }
}

function typeFilter(word: string): Matches {
  const kind = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined
  if (kind) return name => kindByName(name, 0) === kind
  return name => extensionOf(name) === `.${word}`
}
