import type { SearchHit } from '../../../shared/api/search.ts'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FoundEntry } from '../../files/find.ts'
import type { Query } from './query.ts'

/**
 * Looks for names below a folder, in the order of the walk. A folder that is not there holds nothing (contract 9).
 * @param signal ends the search, quietly
 * @throws AppError `forbidden`, before the first result
 */
export async function find(
  files: Files,
  folder: FilePath,
  { matches, words }: Query,
  signal: AbortSignal,
): Promise<AsyncIterable<SearchHit>> {
  const entries = await files.find(folder, words, signal).catch((thrown: unknown) => {
    if (thrown instanceof AppError && EMPTY.has(thrown.code)) return NOTHING
    throw thrown
  })
  return hitsIn(entries, folder, matches, signal)
}

/** Why there may be nothing to look through. */
const EMPTY: ReadonlySet<string> = new Set(['not_found', 'not_a_folder'])
const NOTHING: AsyncIterable<FoundEntry> = { async *[Symbol.asyncIterator]() {} }

async function* hitsIn(
  entries: AsyncIterable<FoundEntry>,
  folder: FilePath,
  matches: Query['matches'],
  signal: AbortSignal,
): AsyncGenerator<SearchHit> {
  const above = folder === ROOT ? 1 : folder.length + 1
  try {
    for await (const entry of entries) {
      if (matches(entry.name)) yield { path: entry.path.slice(above), dir: entry.kind === 'folder' }
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
}
