import { type FilePath, isWithin } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry, KeptAt, KeptThings, StorageDriver } from '../storage/driver.ts'
import type { TransferContext } from './transfer.ts'

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
  for (const place of denied) {
    if (isWithin(place, canonical) && (await unguarded.stat(place))) throw new AppError('forbidden')
  }
  return unguarded
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
