import type { FilePath } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { AsideOptions, StorageDriver } from '../storage/driver.ts'
import { keptOf, storeToKeep, undone } from './kept-store.ts'
import type { OperationContext } from './transfer.ts'
import type { KeptRecord, TrashOwner } from './trash-records.ts'

export interface KeepOptions extends Pick<AsideOptions, 'signal' | 'progress' | 'instead'> {
  /** The identity of the entry; without it whatever is at the path at the moment of the rename. */
  only?: string | undefined
  /** Whether a thing is also copied that is larger than the host allows, where a rename leaves its file system. */
  copies?: boolean
  /** The record is completed with the other steps of the change: no caller asks for it before. */
  later?: boolean
  /** Called when the record is complete; otherwise it is announced with the change. */
  recorded?(): void
}

/** Attempts when an entry is replaced while it is being deleted. */
const ATTEMPTS = 5

/** @throws not_found unless the object at a path has this identity, if one is given */
export async function demandObject(store: StorageDriver, path: FilePath, identity?: string): Promise<void> {
  if (identity !== undefined && (await store.stat(path))?.identity !== identity) throw new AppError('not_found')
}

/**
 * Keeps the entry at a path, by one rename; the caller has checked the rights and holds the lock.
 * @param context includes names that the user only hides
 * @returns the id of the kept thing
 * @throws not_found (or not `only`), no_trash, too_far, and forbidden when a rule denies anything in a tree
 */
export async function keepEntry(
  context: OperationContext,
  { records, policy, id: userId, username }: TrashOwner,
  path: FilePath,
  { only, copies = false, later = false, recorded, ...how }: KeepOptions,
): Promise<string> {
  const guarded = keptOf(context.store)
  const isMoved = how.instead !== undefined && 'from' in how.instead
  const mayCopy = copies ? Number.POSITIVE_INFINITY : policy.copyBytes
  for (let attempt = 1; ; attempt += 1) {
    const id = records.newId()
    const { at, was, place } = await guarded.plan(path, id)
    // What is set aside is what was planned, or there is another attempt.
    await demandObject(context.store, path, only)
    // Rules also speak about what comes.
    const kept = keptOf(isMoved ? context.store : await storeToKeep(context, was))
    const deletedAt = Date.now()
    const isFolder = was.kind === 'folder'
    const { identity, modified, mode } = was
    const size = isFolder ? 0 : was.size
    const record: KeptRecord = { id, at, place, identity, isFolder, size, modified, mode, userId, username, deletedAt }
    const ahead = context.record.ahead({ kind: 'trash', path, isFolder, was: identity, kept: id, size })
    await records.begin(record, ahead)
    const copy = { ...how, mayCopy, copied: (now: string) => records.copied(id, now) }
    try {
      await kept.setAside(path, { at, was }, { id, username, deletedAt }, copy)
    } catch (thrown) {
      const isThere = await kept.look(at).catch(() => 'unknown')
      if (isThere === undefined) await records.forget(id)
      else await undone(kept, at, path, thrown, () => records.forget(id))
      if (attempt < ATTEMPTS && isThere === undefined && asAppError(thrown).code === 'not_found') continue
      throw thrown
    }
    const complete = records.kept(id, later ? ahead : undefined)
    if (await complete.catch(thrown => undone(kept, at, path, thrown, () => records.forget(id)))) recorded?.()
    return id
  }
}
