import { type FilePath, joinPath, ROOT } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Amount } from '../lib/amount.ts'
import { type Entry, fillFrom, type KeptAt, type StorageDriver } from '../storage/driver.ts'
import type { FilesContext } from './changes.ts'
import { sameContent } from './compare-content.ts'
import { pathMapper } from './path-mapper.ts'

/** A kept entry, in the view of its thing, and the path in the scope that it had. */
interface Kept {
  view: StorageDriver
  entry: Entry
  had: FilePath
}

/** A store to copy to, and the path of the copy in it. */
interface Target {
  store: StorageDriver
  top: FilePath
}

/** Whether a kept thing gets a path by a copy: it lies in the area of another root. */
export const isElsewhere = (store: StorageDriver, at: KeptAt, to: FilePath): boolean =>
  store.kept?.reaches?.(at, to) === false

/**
 * Refuses to give an item of one place to another one without the rights that a move would need. What is copied to another
 * root needs no right to delete: without it, it stays in the trash as well.
 * @throws forbidden
 */
export function demandMayLeave(
  { store, policy }: FilesContext,
  at: KeptAt,
  { had, to }: { had: FilePath; to: FilePath },
): void {
  if (!policy.crosses?.(had, to)) return
  policy.demand('read', had)
  if (!isElsewhere(store, at, to)) policy.demand('remove', had)
}

/**
 * Copies a kept entry to a free path of another root, reads the copy again and compares it. A folder appears complete where
 * the goal supports that; a copy that fails is removed.
 * @throws forbidden where a rule denies anything in the tree, unsupported (links, special files), checksum_mismatch, exists
 */
export async function copyElsewhere({ store, policy }: FilesContext, kept: Kept, to: FilePath): Promise<void> {
  const { view, entry } = kept
  const [wasAt, image] = [pathMapper(entry.path, kept.had), pathMapper(entry.path, to)]
  const amount: Amount = { bytes: 0, items: 0 }
  for await (const each of entriesOf(view, entry)) {
    if (!policy.sees(wasAt(each.path)) || !policy.sees(image(each.path))) throw new AppError('forbidden')
    if (each.isLink || (each.kind !== 'file' && each.kind !== 'folder')) throw new AppError('unsupported')
    amount.bytes += each.kind === 'file' ? each.size : 0
    amount.items += 1
  }
  if (entry.kind === 'file') return copyFile(view, entry, { store, top: to })
  const { trees } = store
  const staged = await trees?.reserve(to, amount).catch(unlessUnsupported)
  if (!trees || staged === undefined) return copyVisibly(store, kept, to, amount)
  try {
    await fill(kept, { store: await trees.store(staged, to), top: ROOT })
    await trees.publish(staged, to)
  } catch (thrown) {
    await trees.discard(staged).catch(() => {})
    throw thrown
  }
}

async function copyVisibly(store: StorageDriver, kept: Kept, to: FilePath, amount: Amount): Promise<void> {
  await store.quota?.demand(to, amount)
  try {
    await fill(kept, { store, top: to })
  } catch (thrown) {
    await store.remove(to).catch(() => {})
    throw thrown
  }
}

async function fill({ view, entry }: Kept, { store, top }: Target): Promise<void> {
  for await (const each of entriesOf(view, entry)) {
    const path = joinPath(top, (each.path.slice(entry.path.length) || ROOT) as FilePath)
    if (each.kind === 'file') await copyFile(view, each, { store, top: path })
    else await makeFolder(each, { store, top: path })
  }
}

async function makeFolder({ mode }: Entry, { store, top }: Target): Promise<void> {
  if (top !== ROOT) await store.mkdir(top)
  await store.disk?.setMode(top, mode)
}

async function copyFile(view: StorageDriver, entry: Entry, { store, top }: Target): Promise<void> {
  const file = await view.read(entry.path)
  try {
    const { size, mode, modified } = file.entry
    const staged = await store.stage(top, { modified, length: size, ifAbsent: true })
    try {
      await fillFrom(staged, file, {})
      const made = await staged.publish(top, { ifAbsent: true, mode, modified })
      if (await sameContent(view, entry, made, store)) return
      await store.remove(top).catch(() => {})
      throw new AppError('checksum_mismatch', 'the copy differs from what is in the trash')
    } finally {
      await staged.close()
    }
  } finally {
    await file.close()
  }
}

/** An entry and everything in it, a folder before what it holds. */
async function* entriesOf(view: StorageDriver, top: Entry): AsyncGenerator<Entry> {
  yield top
  if (top.kind !== 'folder' || top.isLink) return
  for await (const batch of view.list(top.path)) for (const entry of batch) yield* entriesOf(view, entry)
}

function unlessUnsupported(thrown: unknown): undefined {
  if (asAppError(thrown).code !== 'unsupported') throw thrown
  return undefined
}
