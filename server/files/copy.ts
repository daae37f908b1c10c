import { type FilePath, ROOT, trustedChild } from '../../shared/path.ts'
import { AppError, asAppError, type ErrorCode } from '../errors.ts'
import { type Amount, NOTHING } from '../lib/amount.ts'
import {
  type BatchCopier,
  type Entry,
  fillFrom,
  type KeepReplaced,
  LARGEST_IN_BATCH,
  type StagedTrees,
  type StorageDriver,
} from '../storage/driver.ts'
import { looksSame, sameContent } from './compare-content.ts'
import { CopyQueue } from './copy-many.ts'
import { pathMapper } from './path-mapper.ts'
import { recordMade, recordWritten } from './recorder.ts'
import { settleConflict, type Transfer, type TransferContext, type TransferRequest } from './transfer.ts'
import type { Written } from './versions.ts'
import { demandWholeTree, measure, seesEntry, walk } from './walk.ts'

/** Errors after which no other entry can be copied either. */
const FATAL: ReadonlySet<ErrorCode> = new Set([
  'no_space',
  'quota_exceeded',
  'read_only',
  'incomplete_body',
  'unauthorized',
])

/** Refuses what cannot be copied, or not completely. @throws outside_scope, forbidden */
export async function demandCopy({ whole, policy }: TransferContext, source: Entry, goal: FilePath): Promise<void> {
  if (source.kind === 'link') throw new AppError('outside_scope')
  if (source.kind === 'folder') await demandWholeTree(whole, policy, source.path, pathMapper(source.path, goal))
}

/**
 * Copies a file or a tree, with modification times. A file appears complete or not at all, and so does a folder where
 * the store supports unfinished ones; a tree merges into an existing folder and continues after failures of single
 * entries. Links inside the scope are copied as their targets; folders behind links and special files are left out.
 * @throws the first failure, after everything else was copied
 */
export async function copyTree(context: TransferContext, transfer: Transfer, how: TransferRequest): Promise<void> {
  const { source, goal, standing } = transfer
  await demandCopy(context, source, goal)
  if (source.kind !== 'folder') return copyFile(context, transfer, how)
  const failures = new Failures(how.signal, how.failed)
  if (standing) await mergeCopies(context, transfer, how, failures)
  else {
    await copyFolder(context, transfer, how, failures)
    await recordMade(context, goal)
  }
  failures.end()
}

/** Failures collected while the rest continues. */
export class Failures {
  readonly #signal: AbortSignal | undefined
  readonly #failed: TransferRequest['failed']
  #first: AppError | undefined
  #retryable: AppError | undefined

  constructor(signal: AbortSignal | undefined, failed?: TransferRequest['failed']) {
    this.#signal = signal
    this.#failed = failed
  }

  /** @param path of the entry @throws an error after which continuing is pointless */
  add(thrown: unknown, path: FilePath): void {
    const error = asAppError(thrown)
    if (this.#signal?.aborted || FATAL.has(error.code)) throw error
    this.#failed?.(path, error.code)
    this.#first ??= error
    if (error.code === 'unavailable' && error.wait !== undefined) this.#retryable ??= error
  }

  /** Whether a retry may succeed where this attempt failed. */
  get isRetryable(): boolean {
    return this.#retryable !== undefined
  }

  /** @throws the first failure, preferably one that may pass */
  end(): void {
    const failure = this.#retryable ?? this.#first
    if (failure) throw failure
  }
}

/** Copies a folder to a free path: hidden until it is complete, if the store supports that. */
async function copyFolder(context: TransferContext, transfer: Transfer, how: TransferRequest, failures: Failures) {
  const { trees } = context.store
  const { goal } = transfer
  const staged = trees && (how.journal?.noted?.staged ?? (await reserved(trees, context, transfer, how)))
  if (!trees || staged === undefined) {
    await how.over?.now()
    return copyVisibly(context, transfer, how, failures)
  }
  await how.journal?.note({ ...noteOf(transfer), staged })
  try {
    const store = await trees.store(staged, goal)
    const made = (await store.stat(ROOT))?.identity
    if (made !== undefined) await how.journal?.note({ ...noteOf(transfer), staged, made })
    const begin = async () => trees.batchCopier?.(staged, goal)
    await fillFolder(context, transfer, { store, top: ROOT, begin }, how, failures)
    await context.recheck.session()
    // Another folder gives way to a whole copy only.
    if (how.over) failures.end()
    if (!(await how.over?.takenBy({ staged }))) {
      await how.over?.now()
      await trees.publish(staged, goal, { claimed: how.journal?.noted?.goal === goal })
    }
  } catch (thrown) {
    // With a journal, the folder is resumed or discarded later.
    if (!how.journal) await trees.discard(staged).catch(() => {})
    throw thrown
  }
  how.progress?.({ entries: 1 })
}

/** The handle of a staged folder; nothing where the root of the goal has none. */
async function reserved(
  trees: StagedTrees,
  context: TransferContext,
  transfer: Transfer,
  how: TransferRequest,
): Promise<string | undefined> {
  const amount = await amountToCopy(context, transfer, how)
  return trees.reserve(transfer.goal, amount).catch(async (thrown: unknown) => {
    const { code } = asAppError(thrown)
    if (code === 'unsupported') return undefined
    if (code !== 'quota_exceeded' || !how.over || how.over.isAway) throw thrown
    // The folder that gives way does not count any more then.
    await how.over.now()
    return reserved(trees, context, transfer, how)
  })
}

/** What a copy takes, where a quota counts it. */
async function amountToCopy(
  { store, policy }: TransferContext,
  { source, goal }: Transfer,
  { signal = new AbortController().signal }: TransferRequest,
): Promise<Amount | undefined> {
  if (!(await store.quota?.counts(goal))) return undefined
  const { bytes, entries } = await measure(store, policy, source.path, signal)
  return { bytes, items: entries }
}

/** The folder is visible while it is filled. Its identity is recorded, to recognise it after a crash. */
async function copyVisibly(context: TransferContext, transfer: Transfer, how: TransferRequest, failures: Failures) {
  const target = { store: context.store, top: transfer.goal }
  await target.store.quota?.demand(target.top, (await amountToCopy(context, transfer, how)) ?? NOTHING)
  await makeCopiedFolder(target, transfer.source)
  const made = (await target.store.stat(target.top))?.identity
  if (made === undefined) throw new AppError('not_found')
  await how.journal?.note({ ...noteOf(transfer), made })
  await fillFolder(context, transfer, target, how, failures)
  if (!failures.isRetryable) await how.journal?.note({ ...noteOf(transfer), made, filled: true })
}

/** The journal of a transfer, for a resume. */
export function noteOf({ source: { identity, size, modified }, goal, standing }: Transfer) {
  const over = standing?.kind === 'file' ? { over: standing.identity } : {}
  return { goal, fresh: standing === undefined, ...over, identity, size, modified }
}

interface CopyTarget {
  store: StorageDriver
  /** The path of the folder's copy in it. */
  top: FilePath
  /** What the copy replaces. */
  standing?: Entry
  /** Only for a folder that is still hidden: opens the batch copy. */
  begin?: () => Promise<BatchCopier | undefined>
}

async function fillFolder(
  context: TransferContext,
  { source }: Transfer,
  target: CopyTarget,
  how: TransferRequest,
  failures: Failures,
): Promise<void> {
  const image = pathMapper(source.path, target.top)
  const copy = (entry: Entry) =>
    copyItem(context, entry, { ...target, top: image(entry.path) }, how).catch(e => failures.add(e, entry.path))
  await makeCopiedFolder(target, source)
  const copies = new CopyQueue({
    begin: async () => (how.verify ? undefined : target.begin?.()),
    to: entry => image(entry.path),
    one: copy,
    done: ({ size }) => how.progress?.({ entries: 1, bytes: size }),
  })
  try {
    for await (const { entry, skipped } of walk(context.store, context.policy, source.path, how)) {
      if (skipped) failures.add(new AppError(skipped.code), skipped.path)
      else if (entry.kind === 'file') await copies.add(entry)
      else await copy(entry)
    }
    await copies.end()
  } finally {
    await copies.close()
  }
}

/** Creates a folder of the copy, with the permissions of the original. */
async function makeCopiedFolder({ store, top }: CopyTarget, { mode }: Entry): Promise<void> {
  if (top !== '/') await store.mkdir(top)
  await store.disk?.setMode(top, mode)
}

async function copyItem(context: TransferContext, entry: Entry, to: CopyTarget, how: TransferRequest): Promise<void> {
  const { store } = context
  if (entry.kind === 'folder' && !entry.isLink) await makeCopiedFolder(to, entry)
  if (entry.kind !== 'file') return how.progress?.({ entries: 1 })
  const there = how.journal?.noted || to.begin ? await to.store.stat(to.top) : undefined
  if (how.journal?.noted && there && (await isCopied(store, entry, { ...to, there }))) {
    return how.progress?.({ entries: 1, bytes: entry.size })
  }
  await writeCopy(context, entry.path, to, { ifAbsent: there === undefined }, how)
}

/** After a power failure a file of a batch may have its modification time without its content. */
async function isCopied(from: StorageDriver, entry: Entry, { store, there, begin }: CopyTarget & { there: Entry }) {
  if (there.kind !== 'file' || !looksSame(there, entry)) return false
  return begin && entry.size <= LARGEST_IN_BATCH ? sameContent(from, entry, there, store) : true
}

/**
 * Goes through a folder that merges into an existing one: decides about each entry by the chosen conflict decisions, and
 * continues after failures of single ones.
 */
export async function mergeFolder(
  context: TransferContext,
  { source, goal }: Transfer,
  how: TransferRequest,
  failures: Failures,
  { wanted, leaves = false, transfer }: MergeOptions,
): Promise<void> {
  for (const child of (await childrenOf(context, source.path)).filter(wanted)) {
    how.signal?.throwIfAborted()
    try {
      const settled = await settleConflict(context, child, trustedChild(goal, child.name), how)
      if (settled) await context.demandFree(settled.goal, settled.standing ? 'content' : 'name')
      if (settled) await context.lockFurther([...(leaves ? [child.path] : []), settled.goal], () => transfer(settled))
      else how.progress?.({ entries: 1, bytes: child.size })
    } catch (thrown) {
      failures.add(thrown, child.path)
    }
  }
}

interface MergeOptions {
  /** Leaves out others. */
  wanted: (child: Entry) => boolean
  /** Whether what is transferred leaves its old path. */
  leaves?: boolean
  /** Copies or moves an entry that is not skipped, under the locks of its paths. */
  transfer: (child: Transfer) => Promise<void>
}

async function mergeCopies(
  context: TransferContext,
  into: Transfer,
  how: TransferRequest,
  failures: Failures,
): Promise<void> {
  await mergeFolder(context, into, how, failures, {
    wanted: ({ kind, isLink }) => kind === 'file' || (kind === 'folder' && !isLink),
    async transfer(child) {
      if (child.source.kind === 'file') return copyFile(context, child, how)
      if (child.standing) return mergeCopies(context, child, how, failures)
      await fillFolder(context, child, { store: context.store, top: child.goal }, how, failures)
      await recordMade(context, child.goal)
    },
  })
}

/** A folder's children that the user may see. */
export async function childrenOf(
  { store, policy }: Pick<TransferContext, 'store' | 'policy'>,
  folder: FilePath,
): Promise<Entry[]> {
  const children: Entry[] = []
  for await (const batch of store.list(folder)) {
    for (const entry of batch) if (seesEntry(policy, entry)) children.push(entry)
  }
  return children
}

async function copyFile(context: TransferContext, { source, goal, standing }: Transfer, how: TransferRequest) {
  const { store, policy } = context
  const mayReplace = standing !== undefined && policy.may('replace', goal)
  const to = { store, top: goal, ...(standing && { standing }) }
  const made = await writeCopy(context, source.path, to, { ifAbsent: !mayReplace }, how)
  recordWritten(context.record, standing, made)
  if (made.kept !== undefined) how.kept?.(made.kept)
  if (standing) context.replaced(goal)
}

/** Copies one file, and compares the copy with it where that is requested. @throws checksum_mismatch */
async function writeCopy(
  context: TransferContext,
  path: FilePath,
  to: CopyTarget,
  when: { ifAbsent: boolean },
  how: TransferRequest,
): Promise<Written> {
  const made = await putCopy(context, path, to, when, how)
  if (!how.verify) return made
  const source = await context.store.stat(path)
  if (source && (await sameContent(context.store, source, made, to.store))) return made
  if (when.ifAbsent) await to.store.remove(to.top).catch(() => {})
  throw new AppError('checksum_mismatch', 'the copy differs from its source')
}

/** Copies one file: within the store where it supports that. */
async function putCopy(
  { store: from, recheck, versions }: TransferContext,
  path: FilePath,
  to: CopyTarget,
  when: { ifAbsent: boolean },
  how: TransferRequest,
): Promise<Written> {
  // A staged tree is checked once, when it is published.
  const recheckSession = async () => from === to.store && recheck.session()
  const replaces = from === to.store && !when.ifAbsent
  const keeping = (publish: (keep?: KeepReplaced) => Promise<Entry>, size?: number): Promise<Written> =>
    versions && replaces
      ? versions.keeping(to.top, { reason: 'copy', standing: to.standing, size }, publish)
      : publish()
  const within = from === to.store ? from.copy : undefined
  if (within) {
    await recheckSession()
    const made = await keeping(keep =>
      within(path, to.top, { ...when, ...(how.signal && { signal: how.signal }), ...(keep && { keep }) }),
    )
    how.progress?.({ entries: 1, bytes: made.size })
    return made
  }
  const file = await from.read(path)
  try {
    const { size, mode, modified } = file.entry
    const staged = await to.store.stage(to.top, { modified, length: size, ...when })
    try {
      const taken = (bytes: number) => how.progress?.({ bytes })
      await fillFrom(staged, file, { taken, ...(how.signal ? { signal: how.signal } : {}) })
      await recheckSession()
      const publish = (keep?: KeepReplaced) =>
        staged.publish(to.top, { ...when, mode, modified, ...(keep && { keep }) })
      const made = await keeping(publish, size)
      how.progress?.({ entries: 1 })
      return made
    } finally {
      await staged.close()
    }
  } finally {
    await file.close()
  }
}
