import { type FilePath, isWithin, nameOf } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry, FoundEntry } from '../storage/driver.ts'
import { findNames, findSized, type SearchContext, unreadAt } from './find.ts'
import { isUnread } from './walk.ts'

interface Wanted {
  words: readonly string[]
  signal: AbortSignal
  /** Whether sizes are needed. */
  sized: boolean
}

/**
 * As `findNames`, or `findSized`, and then the same in each folder of another root below the folder. They have no index and
 * are read now; one that is not there counts as a folder that could not be read.
 * @param folder as the store returns it
 */
export async function* findEverywhere(
  context: SearchContext,
  folder: Entry,
  wanted: Wanted,
): AsyncGenerator<FoundEntry> {
  const { tops = [] } = context
  const inside = tops.filter(top => top !== folder.path && isWithin(top, folder.path))
  const seen = new Set<FilePath>()
  for await (const entry of findIn(context, folder, wanted)) {
    if (inside.includes(entry.path)) seen.add(entry.path)
    yield entry
  }
  for (const top of inside) yield* inMount(context, top, wanted, seen)
}

const findIn = (context: SearchContext, folder: Entry, { words, signal, sized }: Wanted) =>
  (sized ? findSized : findNames)(context, folder, words, signal)

async function* inMount(
  context: SearchContext,
  top: FilePath,
  wanted: Wanted,
  seen: ReadonlySet<FilePath>,
): AsyncGenerator<FoundEntry> {
  const { store, policy } = context
  if (!policy.may('list', top) || !policy.sees(top)) return
  try {
    const entry = await store.stat(top)
    if (!entry) return
    wanted.signal.throwIfAborted()
    if (!seen.has(top)) yield { ...entry, name: nameOf(top), path: top }
    if (entry.kind === 'folder') yield* findIn({ store, policy }, entry, wanted)
  } catch (thrown) {
    if (wanted.signal.aborted || !(thrown instanceof AppError)) throw thrown
    if (isUnread(asAppError(thrown))) yield unreadAt(top)
  }
}
