import type { FilePath } from '../../shared/path.ts'
import { AppError, asAppError, type ErrorCode } from '../errors.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import type { Policy } from './policy.ts'

/** An entry of a walk, or one that could not be read and why. */
export type WalkItem =
  | { entry: Entry; skipped?: never }
  | { entry?: never; skipped: { path: FilePath; code: ErrorCode } }

/** Whether there may be more entries than were found; a deleted folder has none. */
export function isUnread({ code }: Pick<NonNullable<WalkItem['skipped']>, 'code'>): boolean {
  return code !== 'not_found' && code !== 'not_a_folder'
}

export interface WalkOptions {
  signal?: AbortSignal
}

/**
 * Entries of a folder that are held at a time, where the rest can be read later: few enough that most are released
 * before the garbage collector promotes them to the old generation.
 */
const HELD = 100

/** A folder on the path of a walk. */
interface Level {
  path: FilePath
  /** The next entries, in reverse order. */
  ahead: Entry[]
  /** The rest, in order. */
  batches: AsyncGenerator<Entry[], undefined>
}

/**
 * Everything below a folder that the policy lets the user see, each folder before its content, names in byte order.
 * Links are items that are never followed, so every object occurs once and there are no cycles. A folder that the
 * policy denies is left out with its content; one that cannot be read, or not to its end, is reported as skipped.
 * Memory grows with the depth of the tree; with the widest folders on the path only where the store lists unordered.
 */
export async function* walk(
  store: StorageDriver,
  policy: Policy,
  folder: FilePath,
  options: WalkOptions = {},
): AsyncGenerator<WalkItem> {
  for await (const items of walkInGroups(store, policy, folder, options)) for (const item of items) yield item
}

/** The items of `walk` in groups: for very many it costs a fraction. */
export async function* walkInGroups(
  store: StorageDriver,
  policy: Policy,
  folder: FilePath,
  options: WalkOptions = {},
): AsyncGenerator<WalkItem[]> {
  const enter = (path: FilePath): Level => ({ path, ahead: [], batches: inOrder(store, policy, path) })
  const levels = [enter(folder)]
  try {
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      options.signal?.throwIfAborted()
      if (level.ahead.length > 0) {
        const { items, entered } = upToFolder(level)
        yield items
        if (entered) levels.push(enter(entered))
        continue
      }
      const { ended, code } = await readOn(level)
      if (ended) levels.pop()
      if (code) yield [{ skipped: { path: level.path, code } }]
    }
  } finally {
    for (const { batches } of levels) await batches.return(undefined)
  }
}

/** The next entries, up to a folder that is entered then. */
function upToFolder({ ahead }: Level): { items: WalkItem[]; entered?: FilePath } {
  const items: WalkItem[] = []
  for (let entry = ahead.pop(); entry; entry = ahead.pop()) {
    items.push({ entry })
    if (entry.kind === 'folder' && !entry.isLink) return { items, entered: entry.path }
  }
  return { items }
}

async function readOn(level: Level): Promise<{ ended: boolean; code?: ErrorCode }> {
  try {
    const { done = false, value } = await level.batches.next()
    level.ahead = value?.reverse() ?? []
    return { ended: done }
  } catch (thrown) {
    return { ended: true, code: asAppError(thrown).code }
  }
}

/**
 * A folder's visible children in the order of their names. A small folder is read to its end before any is returned.
 */
async function* inOrder(store: StorageDriver, policy: Policy, folder: FilePath): AsyncGenerator<Entry[], undefined> {
  let held: Entry[] = []
  for await (const batch of store.list(folder)) {
    for (const entry of batch) if (seesEntry(policy, entry)) held.push(entry)
    if (!store.sorted || held.length < HELD) continue
    yield held
    held = []
  }
  yield store.sorted ? held : held.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether the policy lets the user see an entry: by its name and, for a link, by its target's. */
export function seesEntry(policy: Policy, entry: Pick<Entry, 'path' | 'canonical'>): boolean {
  return policy.sees(entry.path) && (entry.canonical === entry.path || policy.sees(entry.canonical))
}

/** Bytes of files, and entries. */
export interface TreeSize {
  bytes: number
  entries: number
}

/**
 * The size of an entry with its content.
 * @param most ends the walk where either is exceeded
 * @throws not_found
 */
export async function measure(
  store: StorageDriver,
  policy: Policy,
  path: FilePath,
  signal: AbortSignal,
  most: TreeSize = ENDLESS,
): Promise<TreeSize> {
  const top = await store.stat(path)
  if (!top) throw new AppError('not_found')
  const sum = { bytes: top.kind === 'file' ? top.size : 0, entries: 1 }
  if (top.kind !== 'folder' || top.isLink) return sum
  for await (const { entry } of walk(store, policy, top.path, { signal })) {
    sum.entries += 1
    if (entry?.kind === 'file') sum.bytes += entry.size
    if (sum.entries > most.entries || sum.bytes > most.bytes) break
  }
  return sum
}

const ENDLESS: TreeSize = { bytes: Number.POSITIVE_INFINITY, entries: Number.POSITIVE_INFINITY }

/**
 * Refuses a tree when the policy denies anything in it, or anything of its copy at another place.
 * @param whole the scope's store without a guard: a guarded one would hide what is denied
 * @throws forbidden
 */
export async function demandWholeTree(
  whole: () => Promise<StorageDriver>,
  policy: Policy,
  folder: FilePath,
  image?: (path: FilePath) => FilePath,
): Promise<void> {
  if (!policy.restricts) return
  const everything: Policy = { ...policy, sees: () => true }
  for await (const { entry } of walk(await whole(), everything, folder)) {
    if (!entry) continue
    if (!seesEntry(policy, entry) || (image && !policy.sees(image(entry.path)))) throw new AppError('forbidden')
  }
}
