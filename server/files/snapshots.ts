import { type FilePath, ROOT } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Entry, Snapshot, SnapshotsIn, StorageDriver } from '../storage/driver.ts'
import type { FilesContext } from './changes.ts'
import { demandSeen, type Policy, readingPolicy } from './policy.ts'

/** An entry as it was in a snapshot. */
export interface EarlierState extends Snapshot {
  entry: Entry
}

/**
 * The snapshots that contain an entry, the newest first; of a file, only those in which it differs from the next newer
 * one. The rules are those of now, for the path of now.
 * @param before the id of the last one of the page before
 * @throws not_found, forbidden
 */
export async function earlierStates(
  { store, policy }: FilesContext,
  path: FilePath,
  before?: string,
): Promise<{ items: EarlierState[]; more: boolean }> {
  demandSeen(policy, path, 'list')
  // Snapshots are of the own scope.
  const all = policy.crosses?.(ROOT, path) ? [] : ((await store.snapshots?.list()) ?? [])
  const start = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1
  const items: EarlierState[] = []
  const until = performance.now() + LIMITS.snapshotLookTime
  let newer = await store.stat(path)
  for (const [looks, snapshot] of all.slice(start).entries()) {
    if (looks === LIMITS.snapshotLooks || performance.now() > until) return { items, more: true }
    const entry = await entryAt(store, policy, snapshot.id, path)
    if (!entry || (newer && isSameState(entry, newer))) continue
    items.push({ ...snapshot, entry })
    newer = entry
  }
  return { items, more: false }
}

/** What a view of a snapshot works in, for reading. @throws not_found */
export async function snapshotContext(
  { store, policy }: FilesContext,
  id: string,
): Promise<FilesContext & { whole(): Promise<StorageDriver> }> {
  const snapshots = snapshotsOf(store)
  const reading = readingPolicy(policy, policy.sees)
  const image = await snapshots.open(id, policy.sees)
  return { store: image, policy: reading, whole: async () => image }
}

async function entryAt(store: StorageDriver, policy: Policy, id: string, path: FilePath): Promise<Entry | undefined> {
  try {
    return await (await snapshotsOf(store).open(id, policy.sees)).stat(path)
  } catch (thrown) {
    const { code } = asAppError(thrown)
    // A snapshot may be removed at any time, and its disk may be slow.
    if (code === 'internal') throw thrown
    return undefined
  }
}

const isSameState = (one: Entry, other: Entry) =>
  one.kind === 'file' && other.kind === 'file' && one.size === other.size && one.modified === other.modified

function snapshotsOf({ snapshots }: StorageDriver): SnapshotsIn<StorageDriver> {
  if (!snapshots) throw new AppError('not_found')
  return snapshots
}
