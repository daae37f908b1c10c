import { lstat } from 'node:fs/promises'
import { type FilePath, nameOf, parentOf, ROOT, segmentsOf } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { KeptAt } from '../../driver.ts'
import { translated } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle, hold } from '../handle.ts'
import { checkTree } from '../remove.ts'
import { renameFolderNew, renameNew, type Spot } from '../rename.ts'
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
  const isFolder = (await lstat(below(source.folder, source.name))).isDirectory()
  if (isFolder) await checkTree(scope, source, as)
  if (isFolder) await checkTree(scope, source, goal.canonical)
  const publish = (at: Spot) => (isFolder ? renameFolderNew : renameNew)(scope, at, goal)
  try {
    await publish(source)
  } catch (thrown) {
    // To another disk.
    if (translated(thrown).code !== 'unsupported') throw thrown
    await copyBack(scope, source, goal, publish)
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
