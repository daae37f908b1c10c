import { type FilePath, joinPath, parentOf, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'
import type { Lock, LockHolder, LockRecords } from './lock-records.ts'
import { refusing, type Touch, type Touched } from './lock-rules.ts'

/** Keeps changes away from what others have locked. */
export interface LockGuard {
  /** @param path in the scope @returns the locks that end where a tree leaves the path @throws locked */
  demand(path: FilePath, touch: Touch): Promise<Lock[]>
  /** Ends locks of what has left a path, unless it is still there. */
  left(path: FilePath, locks: readonly Lock[]): Promise<void>
}

/** For views that change nothing, and where there are no locks. */
export const NO_LOCKS: LockGuard = { demand: async () => [], async left() {} }

export interface LockPlaces {
  /** The whole served root. */
  served(): Promise<StorageDriver>
  /** The scope's place in it. */
  base: Base
}

/**
 * The guard of one request. It asks the rows each time: what other servers lock holds at once.
 * @param holder nothing for callers without an account, who hold no lock
 */
export function lockGuard(
  records: LockRecords,
  { served, base }: LockPlaces,
  holder: Pick<LockHolder, 'id' | 'holding'> | undefined,
): LockGuard {
  const holding = { userId: holder?.id, tokens: holder?.holding ?? new Set<string>() }
  return {
    async demand(path, touch) {
      if (!(await records.any())) return []
      const touched = await placeTouched(await served(), base.placeOf(path), touch)
      const above = await records.above(touched.place)
      const below = touch === 'tree' ? await records.below(touched.place, LIMITS.locks) : []
      const lock = refusing([...above, ...below], touched, holding)
      if (lock) throw lockedBy(lock)
      return [...above.filter(({ place }) => place === touched.place), ...below]
    },
    async left(path, locks) {
      if (locks.length === 0 || (await entryAt(await served(), base.placeOf(path)))) return
      await records.end(locks)
    },
  }
}

/** The refusal of a lock, for any protocol. */
export const lockedBy = ({ id }: { id: string }) => new AppError('locked', 'locked', { lock: id })

/** Where a change at a path of a store has its effect: a link is renamed and removed itself, not its target. */
export async function placeTouched(store: StorageDriver, path: FilePath, touch: Touch): Promise<Touched> {
  const there = await entryAt(store, path)
  if (path === ROOT) return { touch, place: ROOT, folder: ROOT }
  if (there && (touch === 'content' || !there.isLink)) {
    return { touch, place: there.canonical, folder: parentOf(there.canonical) }
  }
  for (let folder = parentOf(path); ; folder = parentOf(folder)) {
    const standing = folder === ROOT ? { canonical: ROOT } : await entryAt(store, folder)
    if (!standing) continue
    const rest = path.slice(folder === ROOT ? 0 : folder.length) as FilePath
    return { touch, place: joinPath(standing.canonical, rest), folder: standing.canonical }
  }
}

/** A path below a file has no entry either. */
const entryAt = (store: StorageDriver, path: FilePath): Promise<Entry | undefined> =>
  store.stat(path).catch(thrown => {
    if (thrown instanceof AppError) return undefined
    throw thrown
  })
