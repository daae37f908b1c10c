import { type FilePath, nameOf } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry, KeepReplaced, RemoveOptions, StorageDriver } from '../storage/driver.ts'
import { looksSame, sameContent } from './compare-content.ts'
import { childrenOf, copyTree, Failures, mergeFolder } from './copy.ts'
import { pathMapper } from './path-mapper.ts'
import { type Recorder, recordWritten, UNRECORDED } from './recorder.ts'
import type { Begun } from './resume.ts'
import type { Transfer, TransferContext, TransferRequest } from './transfer.ts'
import type { Written } from './versions.ts'
import { demandWholeTree, walk } from './walk.ts'

/** Refuses what cannot be removed or moved completely. A link is treated alone. @throws forbidden */
export async function demandLeave(
  { whole, policy }: Pick<TransferContext, 'whole' | 'policy'>,
  source: Entry,
): Promise<void> {
  if (source.kind === 'folder' && !source.isLink) await demandWholeTree(whole, policy, source.path)
}

/** Refuses what cannot be removed completely. @throws not_found, forbidden */
export async function demandRemovable(
  context: Pick<TransferContext, 'store' | 'whole' | 'policy'>,
  path: FilePath,
): Promise<void> {
  const standing = await context.store.stat(path)
  if (!standing) throw new AppError('not_found')
  await demandLeave(context, standing)
}

/** Removes an entry, and records that it is gone for good. @throws see `StorageDriver.remove` */
export async function removeForGood(
  { store, record }: Pick<TransferContext, 'store' | 'record'>,
  path: FilePath,
  how: RemoveOptions,
): Promise<undefined> {
  // A link may lead to what the user may not see, and is removed all the same.
  const was = record === UNRECORDED ? undefined : await store.stat(path).catch(() => undefined)
  await store.remove(path, how)
  const isFolder = was?.kind === 'folder'
  const size = was && !isFolder ? was.size : 0
  record.purged(path, { isFolder, size, ...(was && { identity: was.identity }) })
}

/**
 * Moves a file, a link or a tree: by a rename where the store supports it, also over a file, otherwise by a copy, a
 * comparison and a removal. Folders merge into an existing one; what could not be moved stays at the source.
 */
async function moveTree(context: TransferContext, transfer: Transfer, how: TransferRequest): Promise<void> {
  const { source, goal, standing } = transfer
  const { store } = context
  how.signal?.throwIfAborted()
  await context.recheck.session()
  if (standing?.kind === 'folder') return mergeMoves(context, transfer, how)
  if (await movedOver(context, transfer, how)) return
  if (await tookPlace(context, transfer, how)) return
  if (!standing && store.move && how.over?.isAway !== false && (await movedByName(store, source.path, goal, how))) {
    context.record.moved(source, goal)
    return how.progress?.({ entries: 1 })
  }
  if (how.byName) throw new AppError('unsupported', 'it would be copied')
  await demandCopiable(context, source)
  let version: string | undefined
  const record: Recorder = {
    ...UNRECORDED,
    replaced(_was, _entry, kept) {
      version = kept
    },
  }
  await copyTree({ ...context, record }, transfer, { ...how, verify: false })
  try {
    await removeCopied(context, source, goal, how)
  } catch (thrown) {
    // The source stays, and the copy, too.
    await recordCopiedMove(context, transfer, { kept: version, stays: true })
    throw thrown
  }
  await recordCopiedMove(context, transfer, { kept: version })
}

/**
 * Moves a file over another one by one rename, where the store can. What gives way becomes a version.
 * @returns whether it did
 */
async function movedOver(context: TransferContext, transfer: Transfer, how: TransferRequest): Promise<boolean> {
  const { store, policy, record, versions } = context
  const { source, goal, standing } = transfer
  const isFile = (entry: Entry) => entry.kind === 'file' && !entry.isLink
  if (!standing || !store.move || !isFile(source) || !isFile(standing) || !policy.may('replace', goal)) return false
  const move = async (keep?: KeepReplaced): Promise<Entry> => {
    await store.move?.(source.path, goal, { over: keep ? { keep } : {}, ...(how.signal && { signal: how.signal }) })
    const there = await store.stat(goal).catch(() => undefined)
    // Its folder may have been moved since: the file went with it.
    return there ?? { ...factsOf(source), path: goal, name: nameOf(goal) }
  }
  try {
    const about = { reason: 'move', standing, size: source.size } as const
    const made: Written = await (versions ? versions.keeping(goal, about, move) : move())
    recordWritten(record, standing, made)
    record.moved(source, goal, made.identity)
    if (made.kept !== undefined) how.kept?.(made.kept)
  } catch (thrown) {
    if (asAppError(thrown).code === 'unsupported') return false
    throw thrown
  }
  context.replaced(goal)
  how.progress?.({ entries: 1 })
  return true
}

/** All facts of an entry. One of a listing computes some, and a spread leaves these out. */
const factsOf = (entry: Entry): Entry => ({ ...entry, version: entry.version, identity: entry.identity })

/**
 * Moves a folder to the place of another one in one step, where the store can. Elsewhere on a disk that one gives way
 * before; for another disk it waits for the copy.
 * @returns whether it did
 */
async function tookPlace(context: TransferContext, { source, goal }: Transfer, how: TransferRequest): Promise<boolean> {
  const { over } = how
  if (!over) return false
  if (await over.takenBy({ from: source.path })) {
    context.record.moved(source, goal)
    how.progress?.({ entries: 1 })
    return true
  }
  if (!over.exchanges) await over.now()
  return false
}

/** The object at the goal is another one than at the source. */
async function recordCopiedMove(
  { store, record }: TransferContext,
  { source, goal, standing }: Transfer,
  { kept, stays = false }: { kept?: string | undefined; stays?: boolean } = {},
): Promise<void> {
  if (record === UNRECORDED) return
  const there = await store.stat(goal).catch(() => undefined)
  if (!there) return
  if (standing) record.replaced(standing, there, kept)
  if (!stays) record.moved(source, goal, there.identity)
  else if (!standing) record.made(there)
}

/** Moves, or only finishes a move whose copy an earlier attempt completed. */
export async function moveOrFinish(context: TransferContext, begun: Begun, how: TransferRequest): Promise<void> {
  const { source, goal } = begun
  const copies = context.store.copy && !context.policy.crosses?.(source.path, goal)
  if (!begun.arrived || copies) return moveTree(context, begun, how)
  await removeCopied(context, source, goal, how)
  await recordCopiedMove(context, begun)
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
 * Moves the content of a folder, past single failures. Skipped and failed entries stay, and so does the folder then.
 * @throws the first failure, after everything else was moved
 */
async function mergeMoves(context: TransferContext, into: Transfer, how: TransferRequest): Promise<void> {
  const { source } = into
  await demandLeave(context, source)
  const failures = new Failures(how.signal, how.failed)
  await mergeFolder(context, into, how, failures, {
    wanted: () => true,
    leaves: true,
    transfer: child => moveTree(context, child, how),
  })
  if ((await childrenOf(context, source.path)).length === 0) await removeEmptied(context, source)
  failures.end()
}

/** Removes a folder unless something has come into it. */
async function removeEmptied({ store }: TransferContext, folder: Entry): Promise<void> {
  try {
    await store.remove(folder.path, { exactly: folder })
  } catch (thrown) {
    const { code } = asAppError(thrown)
    if (code !== 'unavailable' && code !== 'not_found') throw thrown
  }
}

/** A copy leaves these out, and a move must not lose them. @throws unsupported */
async function demandCopiable({ store, policy }: TransferContext, source: Entry): Promise<void> {
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
 * Removes the source of a copy, once everything in it is found in the copy; what changes after that stays.
 * @param how `verify`: the contents are compared, too
 * @throws unavailable when something is not, because it changed concurrently, checksum_mismatch; nothing is removed then
 */
async function removeCopied(
  context: TransferContext,
  source: Entry,
  goal: FilePath,
  how: Pick<TransferRequest, 'verify' | 'signal'>,
): Promise<void> {
  const { recheck, store, policy } = context
  await demandLeave(context, source)
  const image = pathMapper(source.path, goal)
  const there = await demandCopied(store, source.path, goal, how)
  const folders: Entry[] = []
  if (source.kind === 'folder' && !source.isLink) {
    folders.push(source)
    for await (const { entry, skipped } of walk(store, policy, source.path)) {
      if (skipped) throw new AppError(skipped.code)
      await demandCopied(store, entry.path, image(entry.path), how)
      if (entry.kind === 'folder' && !entry.isLink) folders.push(entry)
    }
  }
  await recheck.session()
  if (folders.length === 0) return there && store.remove(there.path, { exactly: there })
  for (const folder of folders.toReversed()) await removeCopiedFolder(context, folder, image)
}

/** Removes a folder whose folders are removed already. @throws unavailable when something in it is not in the copy */
async function removeCopiedFolder(
  context: TransferContext,
  folder: Entry,
  image: (path: FilePath) => FilePath,
): Promise<void> {
  const { store } = context
  for (const { path, kind, isLink } of await childrenOf(context, folder.path)) {
    if (kind === 'folder' && !isLink) continue
    const there = await demandCopied(store, path, image(path), {})
    if (there) await store.remove(path, { exactly: there })
  }
  await store.remove(folder.path, { exactly: folder })
}

/** @returns what is at the path */
async function demandCopied(
  store: StorageDriver,
  path: FilePath,
  copy: FilePath,
  { verify, signal }: Pick<TransferRequest, 'verify' | 'signal'>,
): Promise<Entry | undefined> {
  signal?.throwIfAborted()
  const [ours, theirs] = [await store.stat(path), await store.stat(copy)]
  if (!ours) return undefined
  const same = ours.kind === theirs?.kind && (ours.kind === 'folder' || looksSame(ours, theirs))
  if (!same) throw new AppError('unavailable', 'it was changed during the move, and stays where it was')
  if (!verify || ours.kind !== 'file' || (await sameContent(store, ours, theirs))) return ours
  throw new AppError('checksum_mismatch', 'the copy differs from its source, which stays where it was')
}
