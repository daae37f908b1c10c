import { type FilePath, isWithin, joinPath } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry, KeptAt, KeptThings, StorageDriver } from '../storage/driver.ts'
import type { Policy } from './policy.ts'
import type { TransferContext } from './transfer.ts'
import { demandWholeTree } from './walk.ts'

/**
 * The store with which a tree is set aside: unguarded where paths describe all that rules deny, and none of them is in
 * the tree; otherwise the guarded one, which asks about every entry.
 * @throws forbidden
 */
export async function storeToKeep(
  { store, policy, whole }: Pick<TransferContext, 'store' | 'policy' | 'whole'>,
  { kind, canonical }: Entry,
): Promise<StorageDriver> {
  if (!policy.restricts || kind !== 'folder') return store
  const denied = policy.deniedPlaces()
  if (!denied) return store
  const unguarded = await whole()
  await demandNone(unguarded, denied, canonical)
  return unguarded
}

/**
 * Refuses a kept folder when the policy denies anything in it by the path that it had: by the places that rules deny
 * where these describe it all, otherwise by each entry.
 * @param store a view of the folder, without a guard @param top its path in the view
 * @throws forbidden
 */
export async function demandWholeKept(
  store: StorageDriver,
  policy: Policy,
  { path, top }: { path: FilePath; top: FilePath },
): Promise<void> {
  const denied = policy.deniedPlaces()
  const inView = (place: FilePath) => joinPath(top, (place.slice(path.length) || '/') as FilePath)
  if (denied) return demandNone(store, denied, path, inView)
  const sees = (inner: FilePath) => policy.sees(joinPath(path, (inner.slice(top.length) || '/') as FilePath))
  await demandWholeTree(async () => store, { ...policy, sees }, top)
}

/** @throws forbidden when one of the denied places is in a folder */
async function demandNone(
  store: StorageDriver,
  denied: readonly FilePath[],
  folder: FilePath,
  at: (place: FilePath) => FilePath = place => place,
): Promise<void> {
  for (const place of denied) {
    if (isWithin(place, folder) && (await store.stat(at(place)))) throw new AppError('forbidden')
  }
}

/**
 * Gives a thing its path back when its record cannot be completed. The record may say that it was kept, without being
 * durable.
 * @param forget forgets the record
 * @throws thrown
 */
export async function undone(
  kept: KeptThings,
  at: KeptAt,
  path: FilePath,
  thrown: unknown,
  forget: () => Promise<void>,
): Promise<never> {
  await kept.bringBack(at, path, { as: path }).catch(() => {})
  const isThere = await kept.look(at).catch(() => 'unknown')
  // Recovery completes the record of what is there, and forgets another one.
  if (isThere === undefined) await forget().catch(() => {})
  throw thrown
}

/** Of a look into an area whose disk is not there. @throws thrown, if it is anything else */
export function unknownIfUnavailable(thrown: unknown): 'unknown' {
  if (asAppError(thrown).code === 'unavailable') return 'unknown'
  throw thrown
}

/** @throws unsupported where nothing is kept */
export function keptOf(store: StorageDriver): KeptThings {
  if (!store.kept) throw new AppError('unsupported')
  return store.kept
}
