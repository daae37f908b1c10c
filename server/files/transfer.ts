import {
  extensionOf,
  type FilePath,
  isWithin,
  joinPath,
  nameOf,
  parentOf,
  ROOT,
  trustedChild,
} from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import type { Policy } from './policy.ts'
import { demandWholeTree, walk } from './walk.ts'

export interface TransferRequest {
  /** Replace what stands at the destination; needs modify. Folders merge. */
  override: boolean
  /** Choose a free name beside what stands there: `name(1).ext`. Wins over `override`. */
  rename: boolean
  signal?: AbortSignal
}

/** What a transfer works on. */
export interface TransferGround {
  store: StorageDriver
  policy: Policy
  /** The scope without its guard, only to find out whether a tree holds something denied. */
  whole(): Promise<StorageDriver>
  /** Told of each file that gave way to another: its path, and the identities of both. */
  replaced(path: FilePath, objects: { was: string; now: string }): void
}

/** Free names tried before a transfer gives up. */
const MAX_SUFFIX = 10_000

/**
 * Settles where a transfer goes, in the order of the wire contract 3.5: names, root, into itself, what stands there,
 * permissions.
 * @throws forbidden, not_found, bad_request (`source is parent`), exists
 */
export async function settle(
  { store, policy }: TransferGround,
  from: FilePath,
  to: FilePath,
  how: TransferRequest,
): Promise<{ source: Entry; goal: FilePath; standing: Entry | undefined }> {
  if (!policy.sees(from) || !policy.sees(to)) throw new AppError('forbidden')
  if (from === ROOT || to === ROOT) throw new AppError('forbidden')
  if (from !== to && isWithin(to, from)) throw new AppError('bad_request', 'source is parent')
  const source = await store.stat(from)
  if (!source) throw new AppError('not_found')
  const standing = await store.stat(to)
  if (!standing) return { source, goal: to, standing }
  if (how.rename) return { source, goal: await freeName(store, policy, to), standing: undefined }
  if (!how.override || from === to || isSameObject(source, standing)) throw new AppError('exists')
  policy.demand('replace')
  if ((source.kind === 'folder') !== (standing.kind === 'folder')) throw new AppError('exists')
  return { source, goal: to, standing }
}

/** Two names of one file: copying one over the other would have nothing left to copy. */
const isSameObject = (a: Entry, b: Entry) =>
  a.canonical === b.canonical || (a.kind === 'file' && a.version === b.version)

/** The first name `stem(n).ext` that is free; the extension is everything from the last dot (contract 3.5). */
async function freeName(store: StorageDriver, policy: Policy, taken: FilePath): Promise<FilePath> {
  const name = nameOf(taken)
  const extension = extensionOf(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let version = 1; version <= MAX_SUFFIX; version += 1) {
    const path = trustedChild(parentOf(taken), `${stem}(${version})${extension}`)
    if (policy.sees(path) && !(await store.stat(path))) return path
  }
  throw new AppError('exists')
}

/** Refuses what cannot be copied, or not as a whole. @throws outside_scope, forbidden */
export async function demandCopy({ whole, policy }: TransferGround, source: Entry, goal: FilePath): Promise<void> {
  if (source.kind === 'link') throw new AppError('outside_scope')
  if (source.kind === 'folder') await demandWholeTree(whole, policy, source.path, imageOf(source, goal))
}

/** Refuses what cannot be taken away as a whole. A link goes alone. @throws forbidden */
export async function demandLeave({ whole, policy }: TransferGround, source: Entry): Promise<void> {
  if (source.kind === 'folder' && !source.isLink) await demandWholeTree(whole, policy, source.path)
}

const imageOf = (source: Entry, goal: FilePath) => (path: FilePath) =>
  joinPath(goal, path.slice(source.path.length) as FilePath)

/**
 * Copies a file or a tree. A file appears whole or not at all; a tree merges into a folder that stands there and goes
 * on past single failures. Links inside the scope are copied as what they lead to, folders behind links and special
 * files are left out.
 * @throws the first failure, after everything else was copied
 */
export async function copyTree(
  ground: TransferGround,
  source: Entry,
  goal: FilePath,
  how: TransferRequest,
): Promise<void> {
  await demandCopy(ground, source, goal)
  if (source.kind !== 'folder') return copyFile(ground, source, goal, how)
  const image = imageOf(source, goal)
  await ground.store.mkdir(goal)
  const failures: unknown[] = []
  for await (const { entry, skipped } of walk(ground.store, ground.policy, source.path, how)) {
    if (skipped) failures.push(new AppError(skipped.code))
    else await copyItem(ground, entry, image(entry.path), how).catch(thrown => failures.push(thrown))
  }
  if (failures.length > 0) throw asAppError(failures[0])
}

async function copyItem(ground: TransferGround, entry: Entry, goal: FilePath, how: TransferRequest): Promise<void> {
  if (entry.kind === 'folder' && !entry.isLink) return ground.store.mkdir(goal)
  if (entry.kind === 'file') return copyFile(ground, entry, goal, how)
}

async function copyFile(ground: TransferGround, source: Entry, goal: FilePath, how: TransferRequest) {
  const { store, policy } = ground
  const file = await store.read(source.path)
  try {
    const standing = how.override ? await store.stat(goal) : undefined
    const made = await store.write(goal, file.stream(), {
      length: file.entry.size,
      mode: file.entry.mode,
      ifAbsent: !(how.override && policy.may('replace')),
      ...(how.signal ? { signal: how.signal } : {}),
    })
    if (standing) ground.replaced(goal, { was: standing.identity, now: made.identity })
  } finally {
    await file.close()
  }
}

/**
 * Moves a file, a link or a tree: by name where the store can, otherwise by copying and then removing. Folders merge
 * into one that stands there; what could not be moved stays where it was.
 */
export async function moveTree(
  ground: TransferGround,
  source: Entry,
  goal: FilePath,
  standing: Entry | undefined,
  how: TransferRequest,
): Promise<void> {
  const { store } = ground
  if (standing?.kind === 'folder') return mergeFolder(ground, source, goal, how)
  if (!standing && store.move) {
    const moved = await store.move(source.path, goal).then(
      () => true,
      (thrown: unknown) => {
        if (asAppError(thrown).code !== 'unsupported') throw thrown
        return false
      },
    )
    if (moved) return
  }
  await copyTree(ground, source, goal, how)
  await store.remove(source.path)
}

async function mergeFolder(ground: TransferGround, source: Entry, goal: FilePath, how: TransferRequest): Promise<void> {
  const { store, policy } = ground
  await demandWholeTree(ground.whole, policy, source.path)
  const children: Entry[] = []
  for await (const batch of store.list(source.path)) children.push(...batch)
  for (const child of children) {
    const to = trustedChild(goal, child.name)
    const there = await store.stat(to)
    if (there && (there.kind === 'folder') !== (child.kind === 'folder')) throw new AppError('exists')
    await moveTree(ground, child, to, there, how)
  }
  await store.remove(source.path)
}
