import { type FilePath, trustedChild } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import { looksSame } from './compare-content.ts'
import { childrenOf, copyTree, Failures, imageOf } from './copy.ts'
import type { Begun } from './resume.ts'
import { settleConflict, type Transfer, type TransferGround, type TransferRequest } from './transfer.ts'
import { demandWholeTree, walk } from './walk.ts'

/** Refuses what cannot be taken away as a whole. A link goes alone. @throws forbidden */
export async function demandLeave(
  { whole, policy }: Pick<TransferGround, 'whole' | 'policy'>,
  source: Entry,
): Promise<void> {
  if (source.kind === 'folder' && !source.isLink) await demandWholeTree(whole, policy, source.path)
}

/** Refuses what cannot be removed as a whole. @throws not_found, forbidden */
export async function demandRemovable(
  ground: Pick<TransferGround, 'store' | 'whole' | 'policy'>,
  path: FilePath,
): Promise<void> {
  const standing = await ground.store.stat(path)
  if (!standing) throw new AppError('not_found')
  await demandLeave(ground, standing)
}

/**
 * Moves a file, a link or a tree: by name where the store can, otherwise by copying, comparing and then removing.
 * Folders merge into one that stands there; what could not be moved stays where it was.
 */
async function moveTree(ground: TransferGround, transfer: Transfer, how: TransferRequest): Promise<void> {
  const { source, goal, standing } = transfer
  const { store } = ground
  how.signal?.throwIfAborted()
  await ground.again.session()
  if (standing?.kind === 'folder') return mergeFolder(ground, transfer, how)
  if (!standing && store.move && (await movedByName(store, source.path, goal, how)))
    return how.progress?.({ entries: 1 })
  await demandCopiable(ground, source)
  await copyTree(ground, transfer, how)
  await removeCopied(ground, source, goal)
}

/** Moves, or only ends a move whose copy an earlier attempt has brought to its place. */
export function moveOn(ground: TransferGround, begun: Begun, how: TransferRequest): Promise<void> {
  const isCopied = begun.arrived && !ground.store.movesByCopy
  return isCopied ? removeCopied(ground, begun.source, begun.goal) : moveTree(ground, begun, how)
}

async function movedByName(
  store: StorageDriver,
  from: FilePath,
  to: FilePath,
  { signal, progress: moved }: TransferRequest,
): Promise<boolean> {
  try {
    await store.move?.(from, to, { ...(signal && { signal }), ...(moved && { moved }) })
    return true
  } catch (thrown) {
    if (asAppError(thrown).code === 'unsupported') return false
    throw thrown
  }
}

/**
 * Moves what is in a folder, one by one, past single failures. What is skipped or fails stays, and so does the folder then.
 * @throws the first failure, after everything else was moved
 */
async function mergeFolder(ground: TransferGround, { source, goal }: Transfer, how: TransferRequest): Promise<void> {
  await demandLeave(ground, source)
  const failures = new Failures(how.signal)
  let stays = false
  for (const child of await childrenOf(ground, source.path)) {
    await moveChild(ground, child, trustedChild(goal, child.name), how).catch(thrown => failures.add(thrown))
    stays ||= (await ground.store.stat(child.path)) !== undefined
  }
  if (!stays) await ground.store.remove(source.path)
  failures.end()
}

async function moveChild(ground: TransferGround, child: Entry, to: FilePath, how: TransferRequest): Promise<void> {
  const settled = await settleConflict(ground, child, to, how)
  if (settled) await moveTree(ground, settled, how)
}

/** A copy leaves these out, and a move must not lose them. @throws unsupported */
async function demandCopiable({ store, policy }: TransferGround, source: Entry): Promise<void> {
  const cannot = (entry: Entry) => entry.kind === 'special' || entry.kind === 'link' || isFolderLink(entry)
  const refusal = new AppError('unsupported', 'links and special files cannot be moved to another disk')
  if (cannot(source)) throw refusal
  if (source.kind !== 'folder') return
  for await (const { entry, skipped } of walk(store, policy, source.path)) {
    if (skipped) throw new AppError(skipped.code)
    if (cannot(entry)) throw refusal
  }
}

const isFolderLink = (entry: Entry) => entry.kind === 'folder' && entry.isLink

/**
 * Removes what has been copied, once everything that is there now is found in the copy.
 * @throws unavailable when something is not, because it was changed or added meanwhile; nothing is removed then
 */
async function removeCopied(ground: TransferGround, source: Entry, goal: FilePath): Promise<void> {
  const { again, store, policy } = ground
  await demandLeave(ground, source)
  const image = imageOf(source.path, goal)
  await demandCopied(store, source.path, goal)
  if (source.kind === 'folder' && !source.isLink) {
    for await (const { entry, skipped } of walk(store, policy, source.path)) {
      if (skipped) throw new AppError(skipped.code)
      await demandCopied(store, entry.path, image(entry.path))
    }
  }
  await again.session()
  await store.remove(source.path)
}

async function demandCopied(store: StorageDriver, path: FilePath, copy: FilePath): Promise<void> {
  const [ours, theirs] = [await store.stat(path), await store.stat(copy)]
  if (!ours) return
  const same = ours.kind === theirs?.kind && (ours.kind === 'folder' || looksSame(ours, theirs))
  if (!same) throw new AppError('unavailable', 'it was changed while it was being moved, and stays where it was')
}
