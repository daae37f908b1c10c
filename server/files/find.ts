import { type FilePath, parentOf } from '../../shared/path.ts'
import type { Entry, FoundEntry, StorageDriver } from '../storage/driver.ts'
import type { Policy } from './policy.ts'
import { seesEntry, walk } from './walk.ts'

export type { FoundEntry } from '../storage/driver.ts'

/** Things met on a walk after which it is told that an index would have spared them. */
const LONG_WALK = 20_000

/**
 * What the policy lets be seen below a folder, at least those things whose name holds one of the words, in the order of
 * `walk`: from the store's index of names where there is one, else by walking.
 * @param folder as the store tells of it
 * @param words of any case; none asks for everything
 */
export async function* findNames(
  store: StorageDriver,
  policy: Policy,
  folder: Entry,
  words: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<FoundEntry> {
  const known = await store.names?.find(folder.path, words)
  if (known) yield* visibleAmong(known, policy, folder, signal)
  else yield* walked(store, policy, folder.path, signal)
}

async function* visibleAmong(
  known: AsyncIterable<FoundEntry[]>,
  policy: Policy,
  folder: Entry,
  signal: AbortSignal,
): AsyncGenerator<FoundEntry> {
  const opens = openFolders(policy, folder)
  for await (const entries of known) {
    for (const entry of entries) {
      signal.throwIfAborted()
      if (!policy.restricts || (seesEntry(policy, entry) && opens(parentOf(entry.path)))) yield entry
    }
  }
}

/** Says of folders below another whether a walk would come there: none on the way may be denied. */
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
  let met = 0
  for await (const { entry } of walk(store, policy, folder, { signal })) {
    met += 1
    if (met === LONG_WALK) store.names?.want()
    if (entry) yield entry
  }
}
