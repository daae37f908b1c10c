import type { ContentState, SearchHit, TextMatch } from '../../../shared/api/search.ts'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FoundEntry, WantedTexts } from '../../files/find.ts'
import type { Unread } from '../../responses/ndjson.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import type { Query } from './query.ts'

type Found = FoundEntry & { match?: TextMatch }

/** The result of a search. */
export interface Hits {
  items: AsyncIterable<SearchHit>
  /** How much of the contents is indexed, for a search in contents. */
  contents?: ContentState
  /** The folders that could not be read, for a search in names. Complete once all hits were read. */
  count?: Unread
}

export interface FindOptions {
  /** Whether hits have size and time. */
  details: boolean
  /** Ends the search, without an error. */
  signal: AbortSignal
}

/**
 * Searches names below a folder, in the order of the walk, items with tags or words in their notes, by path, or texts in files, in the order in
 * which they were indexed. A folder that does not exist has no hits (http-api 9).
 * @throws AppError `forbidden`, `not_indexed`, before the first result
 */
export async function find(files: Files, folder: FilePath, query: Query, options: FindOptions): Promise<Hits> {
  const { words, contents, hasSize } = query
  const hits = (found: AsyncIterable<Found>) => hitsIn(files, found, { ...options, folder, query })
  try {
    const marked = await markedBelow(files, folder, query)
    if (contents) {
      const { found, state } = await findTexts(files, folder, contents, query, options.signal)
      return { items: hits(marked ? among(found, marked) : found), contents: state }
    }
    const count = { unread: 0 }
    const found = marked
      ? streamOf(marked.values())
      : await files.find(folder, words, options.signal, hasSize !== undefined)
    return { items: hits(namedSo(found, query, count)), count }
  } catch (thrown) {
    if (thrown instanceof AppError && EMPTY.has(thrown.code)) return { items: NOTHING }
    throw thrown
  }
}

/** Errors that mean an empty result. */
const EMPTY: ReadonlySet<string> = new Set(['not_found', 'not_a_folder'])
const NOTHING: AsyncIterable<SearchHit> = { async *[Symbol.asyncIterator]() {} }

async function findTexts(
  files: Files,
  folder: FilePath,
  wanted: WantedTexts,
  { matches }: Query,
  signal: AbortSignal,
): Promise<{ found: AsyncIterable<Found>; state: ContentState }> {
  const { found, state } = await files.findTexts(folder, wanted, matches)
  return { found: oneByOne(found, signal), state }
}

/** The entries below a folder that have all tags and the words in their notes, by path; nothing if none are wanted. */
async function markedBelow(
  files: Files,
  folder: FilePath,
  { tags, notes }: Query,
): Promise<Map<FilePath, FoundEntry> | undefined> {
  if (tags.length + notes.length === 0) return undefined
  const sets = await Promise.all(tags.map(name => files.tags.named(name)))
  if (notes.length > 0) sets.push(await files.remarks.noted(notes))
  const above = folder === ROOT ? folder : `${folder}/`
  const entries = [...(sets[0] ?? [])].filter(
    ([path]) => path !== folder && path.startsWith(above) && sets.every(set => set.has(path)),
  )
  return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

async function* among(found: AsyncIterable<Found>, marked: ReadonlyMap<FilePath, unknown>): AsyncGenerator<Found> {
  for await (const entry of found) if (marked.has(entry.path)) yield entry
}

async function* streamOf<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

async function* namedSo(
  entries: AsyncIterable<FoundEntry>,
  { matches, hasSize }: Query,
  count: Unread,
): AsyncGenerator<Found> {
  for await (const entry of entries) {
    if (entry.kind === 'unread') count.unread += 1
    else if (matches(entry.name) && hasSize?.(entry) !== false) yield entry
  }
}

async function* oneByOne(batches: AsyncIterable<Found[]>, signal: AbortSignal): AsyncGenerator<Found> {
  for await (const batch of batches) {
    signal.throwIfAborted()
    yield* batch
  }
}

interface Wanted extends FindOptions {
  folder: FilePath
  query: Query
}

async function* hitsIn(
  files: Files,
  found: AsyncIterable<Found>,
  { folder, query: { fits }, details, signal }: Wanted,
): AsyncGenerator<SearchHit> {
  const above = folder === ROOT ? 1 : folder.length + 1
  const present = ({ path, kind, match }: Found): SearchHit => {
    return { path: path.slice(above), dir: kind === 'folder', ...(match && { match }) }
  }
  try {
    if (!details && !fits) {
      for await (const entry of found) yield present(entry)
      return
    }
    for await (const entry of files.dated(found)) {
      if (fits?.(entry) === false) continue
      const { kind, size, modified } = entry
      yield {
        ...present(entry),
        ...(details && kind === 'file' && { size }),
        ...(details && { modified: rfc3339(modified) }),
      }
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
}
