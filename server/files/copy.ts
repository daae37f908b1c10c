import { type FilePath, joinPath, ROOT, trustedChild } from '../../shared/path.ts'
import { AppError, asAppError, type ErrorCode } from '../errors.ts'
import {
  type Entry,
  LARGEST_TOGETHER,
  type StorageDriver,
  type TreeFiller,
  type WriteOptions,
} from '../storage/driver.ts'
import { looksSame, sameContent } from './compare-content.ts'
import { ManyCopies } from './copy-many.ts'
import { counted } from './progress-stream.ts'
import { settleConflict, type Transfer, type TransferGround, type TransferRequest } from './transfer.ts'
import { demandWholeTree, seesEntry, walk } from './walk.ts'

/** After these nothing further can be copied either. */
const HOPELESS: ReadonlySet<ErrorCode> = new Set(['no_space', 'read_only', 'incomplete_body', 'unauthorized'])

/** Refuses what cannot be copied, or not as a whole. @throws outside_scope, forbidden */
export async function demandCopy({ whole, policy }: TransferGround, source: Entry, goal: FilePath): Promise<void> {
  if (source.kind === 'link') throw new AppError('outside_scope')
  if (source.kind === 'folder') await demandWholeTree(whole, policy, source.path, imageOf(source.path, goal))
}

/** Where things below one folder are below another. */
export const imageOf =
  (from: FilePath, to: FilePath) =>
  (path: FilePath): FilePath =>
    joinPath(to, (path.slice(from === '/' ? 0 : from.length) || '/') as FilePath)

/**
 * Copies a file or a tree, with its times. A file appears whole or not at all, and so does a folder where the store can
 * keep unfinished ones; a tree merges into a folder that stands there and goes on past single failures. Links inside
 * the scope are copied as what they lead to, folders behind links and special files are left out.
 * @throws the first failure, after everything else was copied
 */
export async function copyTree(ground: TransferGround, transfer: Transfer, how: TransferRequest): Promise<void> {
  const { source, goal, standing } = transfer
  await demandCopy(ground, source, goal)
  if (source.kind !== 'folder') return copyFile(ground, transfer, how)
  const failures = new Failures(how.signal)
  if (standing) await mergeFolder(ground, transfer, how, failures)
  else await copyFolder(ground, transfer, how, failures)
  failures.end()
}

/** What went wrong while the rest went on. */
export class Failures {
  readonly #signal: AbortSignal | undefined
  #first: AppError | undefined
  #passing: AppError | undefined

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  /** @throws what makes going on pointless */
  add(thrown: unknown): void {
    const error = asAppError(thrown)
    if (this.#signal?.aborted || HOPELESS.has(error.code)) throw error
    this.#first ??= error
    if (error.code === 'unavailable' && error.wait !== undefined) this.#passing ??= error
  }

  /** Whether another attempt may go on where this one failed. */
  get mayPass(): boolean {
    return this.#passing !== undefined
  }

  /** @throws the first failure, or rather the first that may pass */
  end(): void {
    const failure = this.#passing ?? this.#first
    if (failure) throw failure
  }
}

/** Copies a folder to where nothing stands: unseen until everything is in it, if the store can do that. */
async function copyFolder(ground: TransferGround, transfer: Transfer, how: TransferRequest, failures: Failures) {
  const { trees } = ground.store
  const { goal } = transfer
  if (!trees) return copyInSight(ground, transfer, how, failures)
  const staged = how.journal?.noted?.staged ?? (await trees.reserve(goal))
  await how.journal?.note({ ...noteOf(transfer), staged })
  try {
    const store = await trees.store(staged, goal)
    const made = (await store.stat(ROOT))?.identity
    if (made !== undefined) await how.journal?.note({ ...noteOf(transfer), staged, made })
    const begin = async () => trees.filler?.(staged, goal)
    await fillFolder(ground, transfer, { store, top: ROOT, begin }, how, failures)
    await ground.again.session()
    await trees.publish(staged, goal, { claimed: how.journal?.noted?.goal === goal })
  } catch (thrown) {
    // Whoever keeps a journal goes on with the folder, or discards it.
    if (!how.journal) await trees.discard(staged).catch(() => {})
    throw thrown
  }
  how.progress?.({ entries: 1 })
}

/** The folder shows as it fills. Which one it is is noted, so that it is known again after a crash. */
async function copyInSight(ground: TransferGround, transfer: Transfer, how: TransferRequest, failures: Failures) {
  const room = { store: ground.store, top: transfer.goal }
  await makeImage(room, transfer.source)
  const made = (await room.store.stat(room.top))?.identity
  if (made === undefined) throw new AppError('not_found')
  await how.journal?.note({ ...noteOf(transfer), made })
  await fillFolder(ground, transfer, room, how, failures)
  if (!failures.mayPass) await how.journal?.note({ ...noteOf(transfer), made, filled: true })
}

/** What is to be known of a transfer if it breaks off. */
export function noteOf({ source: { identity, size, modified }, goal, standing }: Transfer) {
  return { goal, fresh: standing === undefined, identity, size, modified }
}

interface Room {
  store: StorageDriver
  /** Where the folder's image is in it. */
  top: FilePath
  /** Only for a folder that nobody sees yet: begins to copy many files at a time. */
  begin?: () => Promise<TreeFiller | undefined>
}

async function fillFolder(
  ground: TransferGround,
  { source }: Transfer,
  room: Room,
  how: TransferRequest,
  failures: Failures,
): Promise<void> {
  const image = imageOf(source.path, room.top)
  const copy = (entry: Entry) =>
    copyItem(ground, entry, { ...room, top: image(entry.path) }, how).catch(e => failures.add(e))
  await makeImage(room, source)
  const copies = new ManyCopies({
    begin: async () => room.begin?.(),
    to: entry => image(entry.path),
    one: copy,
    done: ({ size }) => how.progress?.({ entries: 1, bytes: size }),
  })
  try {
    for await (const { entry, skipped } of walk(ground.store, ground.policy, source.path, how)) {
      if (skipped) failures.add(new AppError(skipped.code))
      else if (entry.kind === 'file') await copies.add(entry)
      else await copy(entry)
    }
    await copies.end()
  } finally {
    await copies.close()
  }
}

/** A folder of the copy, open to the same people as the one it is of. */
async function makeImage({ store, top }: Room, { mode }: Entry): Promise<void> {
  if (top !== '/') await store.mkdir(top)
  await store.setMode?.(top, mode)
}

async function copyItem(ground: TransferGround, entry: Entry, to: Room, how: TransferRequest): Promise<void> {
  const { store } = ground
  if (entry.kind === 'folder' && !entry.isLink) await makeImage(to, entry)
  if (entry.kind !== 'file') return how.progress?.({ entries: 1 })
  const there = how.journal?.noted || to.begin ? await to.store.stat(to.top) : undefined
  if (how.journal?.noted && there && (await isCopied(store, entry, { ...to, there }))) {
    return how.progress?.({ entries: 1, bytes: entry.size })
  }
  await writeCopy(ground, entry.path, to, { ifAbsent: there === undefined }, how)
}

/** What was copied with others may have its time without its content when the power failed meanwhile. */
async function isCopied(from: StorageDriver, entry: Entry, { store, there, begin }: Room & { there: Entry }) {
  if (there.kind !== 'file' || !looksSame(there, entry)) return false
  return begin && entry.size <= LARGEST_TOGETHER ? sameContent(from, entry, there, store) : true
}

/** Copies into a folder that stands there, level by level, as was chosen for what is in the way. */
async function mergeFolder(ground: TransferGround, transfer: Transfer, how: TransferRequest, failures: Failures) {
  const { source, goal } = transfer
  for (const child of await childrenOf(ground, source.path)) {
    how.signal?.throwIfAborted()
    await mergeChild(ground, child, trustedChild(goal, child.name), how, failures).catch(e => failures.add(e))
  }
}

async function mergeChild(
  ground: TransferGround,
  child: Entry,
  to: FilePath,
  how: TransferRequest,
  failures: Failures,
): Promise<void> {
  const isFolder = child.kind === 'folder' && !child.isLink
  if (!isFolder && child.kind !== 'file') return
  const settled = await settleConflict(ground, child, to, how)
  if (!settled) return how.progress?.({ entries: 1, bytes: child.size })
  if (!isFolder) return copyFile(ground, settled, how)
  if (settled.standing) return mergeFolder(ground, settled, how, failures)
  return fillFolder(ground, settled, { store: ground.store, top: settled.goal }, how, failures)
}

/** A folder's children that may be seen. */
export async function childrenOf(
  { store, policy }: Pick<TransferGround, 'store' | 'policy'>,
  folder: FilePath,
): Promise<Entry[]> {
  const children: Entry[] = []
  for await (const batch of store.list(folder)) {
    for (const entry of batch) if (seesEntry(policy, entry)) children.push(entry)
  }
  return children
}

async function copyFile(ground: TransferGround, { source, goal, standing }: Transfer, how: TransferRequest) {
  const { store, policy } = ground
  const mayReplace = standing !== undefined && policy.may('replace')
  await writeCopy(ground, source.path, { store, top: goal }, { ifAbsent: !mayReplace }, how)
  if (standing) ground.replaced(goal)
}

/** Copies one file: within the store where that can do it by itself. */
async function writeCopy(
  { store: from, again }: TransferGround,
  path: FilePath,
  to: Room,
  when: { ifAbsent: boolean },
  how: TransferRequest,
): Promise<Entry> {
  const publish: WriteOptions['publish'] = async act => {
    await again.session()
    return act()
  }
  // A staged tree is checked once, when it is published.
  const options = { ...when, ...(from === to.store ? { publish } : {}), ...(how.signal ? { signal: how.signal } : {}) }
  if (from.copy && from === to.store) {
    const made = await from.copy(path, to.top, options)
    how.progress?.({ entries: 1, bytes: made.size })
    return made
  }
  const file = await from.read(path)
  try {
    const { size, mode, modified } = file.entry
    const body = counted(file.stream(), bytes => how.progress?.({ bytes }))
    const made = await to.store.write(to.top, body, { ...options, length: size, mode, modified })
    how.progress?.({ entries: 1 })
    return made
  } finally {
    await file.close()
  }
}
