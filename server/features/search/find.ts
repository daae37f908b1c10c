import type { SearchHit } from '../../../shared/api/search.ts'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { WalkItem } from '../../files/walk.ts'
import type { Matches } from './query.ts'

/**
 * Looks for names below a folder, in the order of the walk. A folder that is not there holds nothing (contract 9).
 * @param signal ends the search, quietly
 * @throws AppError `forbidden`, before the first result
 */
export async function find(
  files: Files,
  folder: FilePath,
  matches: Matches,
  signal: AbortSignal,
): Promise<AsyncIterable<SearchHit>> {
  const items = await files.walk(folder, { signal }).catch((thrown: unknown) => {
    if (thrown instanceof AppError && EMPTY.has(thrown.code)) return NOTHING
    throw thrown
  })
  return hitsIn(items, folder, matches, signal)
}

/** Why there may be nothing to look through. */
const EMPTY: ReadonlySet<string> = new Set(['not_found', 'not_a_folder'])
const NOTHING: AsyncIterable<WalkItem> = { async *[Symbol.asyncIterator]() {} }

async function* hitsIn(items: AsyncIterable<WalkItem>, folder: FilePath, matches: Matches, signal: AbortSignal) {
  const above = folder === ROOT ? 1 : folder.length + 1
  try {
    for await (const { entry } of items) {
      if (entry && matches(entry.name)) yield { path: entry.path.slice(above), dir: entry.kind === 'folder' }
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
}
