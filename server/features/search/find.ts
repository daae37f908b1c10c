import type { ContentState, SearchHit, TextMatch } from '../../../shared/api/search.ts'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FoundEntry, WantedTexts } from '../../files/find.ts'
import type { Unread } from '../../responses/ndjson.ts'
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

/**
 * Searches names below a folder, in the order of the walk, or texts in files, in the order in which they were indexed.
 * A folder that does not exist has no hits (http-api 9).
 * @param signal ends the search, without an error
 * @throws AppError `forbidden`, `not_indexed`, before the first result
 */
export async function find(files: Files, folder: FilePath, query: Query, signal: AbortSignal): Promise<Hits> {
  const { matches, words, contents } = query
  try {
    if (contents) return await findTexts(files, folder, contents, matches, signal)
    const count = { unread: 0 }
    const entries = namedSo(await files.find(folder, words, signal), matches, count)
    return { items: hitsIn(entries, folder, signal), count }
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
  matches: Query['matches'],
  signal: AbortSignal,
): Promise<Hits> {
  const { found, state } = await files.findTexts(folder, wanted, matches)
  return { items: hitsIn(oneByOne(found, signal), folder, signal), contents: state }
}

async function* namedSo(
  entries: AsyncIterable<FoundEntry>,
  matches: Query['matches'],
  count: Unread,
): AsyncGenerator<Found> {
  for await (const entry of entries) {
    if (entry.kind === 'unread') count.unread += 1
    else if (matches(entry.name)) yield entry
  }
}

async function* oneByOne(batches: AsyncIterable<Found[]>, signal: AbortSignal): AsyncGenerator<Found> {
  for await (const batch of batches) {
    signal.throwIfAborted()
    yield* batch
  }
}

async function* hitsIn(
  entries: AsyncIterable<Found>,
  folder: FilePath,
  signal: AbortSignal,
): AsyncGenerator<SearchHit> {
  const above = folder === ROOT ? 1 : folder.length + 1
  try {
    for await (const { path, kind, match } of entries) {
      yield { path: path.slice(above), dir: kind === 'folder', ...(match && { match }) }
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
}
