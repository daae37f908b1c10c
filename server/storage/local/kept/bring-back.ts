import { lstat, mkdir, rename, rmdir } from 'node:fs/promises'
import { type FilePath, nameOf, parentOf, ROOT, segmentsOf } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { KeptAt } from '../../driver.ts'
import { errnoOf, translated } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle, hold } from '../handle.ts'
import type { NativePath } from '../native-path.ts'
import { checkTree } from '../remove.ts'
import { renameNew } from '../rename.ts'
import { type Item, locateItem, refuseReserved, type Scope } from '../resolve-path.ts'
import { openArea } from './area.ts'
import { copyBack } from './copy-aside.ts'
import { removeNote } from './set-aside.ts'

/** Gives a kept thing a path; see `KeptThings.bringBack`. */
export async function bringBack(
  scope: Scope,
  at: KeptAt,
  to: FilePath,
  { inner = ROOT, as }: { inner?: FilePath; as: FilePath },
): Promise<void> {
  if (to === ROOT) throw new AppError('exists')
  refuseReserved(scope, to)
  const area = await openArea(scope, at)
  try {
    const source = await innerItem(scope, area.files, at.name, inner)
    try {
      const goal = await locateItem(scope, to)
      try {
        await moveOut(scope, source, goal, as)
        // The new name is durable before the old one is gone for good.
        await syncFolder(goal.folder)
        await syncFolder(source.folder)
      } finally {
        goal.folder.close()
      }
    } finally {
      if (source.folder !== area.files) source.folder.close()
    }
    if (inner === ROOT) await removeNote(area.notes, at.name)
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    area.close()
  }
}

async function moveOut(scope: Scope, source: Item, goal: Item, as: FilePath): Promise<void> {
  const from = below(source.folder, source.name)
  const isFolder = (await lstat(from)).isDirectory()
  if (isFolder) await checkTree(scope, source, as)
  if (isFolder) await checkTree(scope, source, goal.canonical)
  const publish = (at: NativePath) => (isFolder ? renameFolder(at, goal) : renameNew(at, below(goal.folder, goal.name)))
  try {
    await publish(from)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EXDEV') throw thrown
    await copyBack(scope, source, goal, publish)
  }
}

/** Only a rename of a folder can replace an empty one. */
async function renameFolder(from: NativePath, { folder, name }: Item): Promise<void> {
  const to = below(folder, name)
  await mkdir(to, 0o700)
  try {
    await rename(from, to)
  } catch (thrown) {
    await rmdir(to).catch(() => {})
    if (errnoOf(thrown) === 'ENOTEMPTY') throw new AppError('exists')
    throw thrown
  }
}

/** An entry of a kept tree in its held folder; no link is followed. @throws not_found */
async function innerItem(scope: Scope, files: Handle, name: string, inner: FilePath): Promise<Item> {
  if (inner === ROOT) return { folder: files, name, canonical: ROOT }
  let folder = files
  for (const step of [name, ...segmentsOf(parentOf(inner))]) {
    const next = await hold(scope.level, below(folder, step), true).finally(() => {
      if (folder !== files) folder.close()
    })
    folder = next
    if (next.stat.isDirectory()) continue
    next.close()
    throw new AppError('not_found')
  }
  return { folder, name: nameOf(inner), canonical: ROOT }
}
