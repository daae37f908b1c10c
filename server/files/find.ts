import { type FilePath, nameOf, parentOf } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry, FoundEntry, FoundTexts, NamesMet, StorageDriver, WantedTexts } from '../storage/driver.ts'
import type { Policy } from './policy.ts'
import { isUnread, seesEntry, walk } from './walk.ts'

export type { FoundEntry, FoundTexts, WantedTexts } from '../storage/driver.ts'

/** Entries visited by a walk after which the log suggests an index. */
const LONG_WALK = 20_000

/**
 * Entries below a folder that the policy lets the user see, at least those whose name contains one of the words, in the
 * order of `walk`, and the folders that could not be read: from the store's search index where there is one, else by a
 * walk. Sizes may be missing.
 * @param folder as the store returns it
 * @param words case-insensitive; none selects everything
 */
export async function* findNames(
  store: StorageDriver,
  policy: Policy,
  folder: Entry,
  words: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<FoundEntry> {
  const known = (await store.names?.find(folder.path, words)) ?? sought(store, folder.path, words)
  if (known) yield* visibleAmong(known, policy, folder, signal)
  else yield* walked(store, policy, folder.path, signal)
}

/** Everything below a folder that the policy lets the user see, with sizes; else as `findNames`. */
export async function* findSized(
  store: StorageDriver,
  policy: Policy,
  folder: Entry,
  signal: AbortSignal,
): AsyncGenerator<FoundEntry> {
  const known = await store.names?.find(folder.path, [])
  if (known) yield* visibleAmong(known, policy, folder, signal)
  else yield* walked(store, policy, folder.path, signal)
}

function sought(
  store: StorageDriver,
  folder: FilePath,
  words: readonly string[],
): AsyncIterable<FoundEntry[]> | undefined {
  const batches = store.seek?.(folder, words)
  return batches && walkIfPresent(store, folder, batches)
}

/** Ends without an error where the folder was deleted, as a walk does. */
async function* walkIfPresent(
  store: StorageDriver,
  folder: FilePath,
  batches: AsyncIterable<NamesMet>,
): AsyncGenerator<FoundEntry[]> {
  let isLong = false
  try {
    for await (const { met, entries } of batches) {
      if (!isLong && met >= LONG_WALK) store.names?.want()
      isLong = met >= LONG_WALK
      yield entries
    }
  } catch (thrown) {
    if (isUnread(asAppError(thrown))) yield [unreadAt(folder)]
  }
}

async function* visibleAmong(
  known: AsyncIterable<FoundEntry[]>,
  policy: Policy,
  folder: Entry,
  signal: AbortSignal,
): AsyncGenerator<FoundEntry> {
  const isVisible = visibleIn(policy, folder)
  for await (const entries of known) {
    signal.throwIfAborted()
    for (const entry of entries) {
      signal.throwIfAborted()
      if (isVisible(entry)) yield entry
    }
  }
}

/**
 * Files below a folder whose text contains all the wanted texts, of those that the policy lets the user see; the texts
 * of others are not searched.
 * @param folder as the store returns it
 * @param matches filters by name
 * @throws not_indexed where the store has no content index
 */
export async function findTexts(
  store: StorageDriver,
  policy: Policy,
  folder: Entry,
  wanted: WantedTexts,
  matches: (name: string) => boolean,
): Promise<FoundTexts> {
  const isVisible = visibleIn(policy, folder)
  const keep = (entry: FoundEntry) => matches(entry.name) && isVisible(entry)
  const found = await store.names?.texts?.find(folder.path, wanted, keep)
  if (!found) throw new AppError('not_indexed')
  return found
}

/** Tests whether a walk would reach entries below a folder. */
function visibleIn(policy: Policy, folder: Entry): (entry: Pick<Entry, 'path' | 'canonical'>) => boolean {
  const opens = openFolders(policy, folder)
  const isTop = (entry: Pick<Entry, 'path'>) => entry.path === folder.path
  return entry => !policy.restricts || isTop(entry) || (seesEntry(policy, entry) && opens(parentOf(entry.path)))
}

/** Tests whether a walk would reach a folder below another: no ancestor may be denied. */
function openFolders(policy: Policy, top: Entry): (folder: FilePath) => boolean {
  const answers = new Map<FilePath, boolean>([[top.path, true]])
  const above = top.path === '/' ? 0 : top.path.length
  const realStart = top.canonical === '/' ? '' : top.canonical
  const opens = (folder: FilePath): boolean => {
    const known = answers.get(folder)
    if (known !== undefined) return known
    const canonical = (realStart + folder.slice(above)) as FilePath
    const answer = seesEntry(policy, { path: folder, canonical }) && opens(parentOf(folder))
    answers.set(folder, answer)
    return answer
  }
  return opens
}

async function* walked(
  store: StorageDriver,
  policy: Policy,
  folder: FilePath,
  signal: AbortSignal,
): AsyncGenerator<FoundEntry> {
  let found = 0
  for await (const { entry, skipped } of walk(store, policy, folder, { signal })) {
    found += 1
    if (found === LONG_WALK) store.names?.want()
    if (entry) yield entry
    else if (isUnread(skipped)) yield unreadAt(skipped.path)
  }
}

const unreadAt = (path: FilePath): FoundEntry => {
  return { name: nameOf(path), path, canonical: path, kind: 'unread', isLink: false, size: 0 }
}
