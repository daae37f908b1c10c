import { lstat, mkdir, rename, rmdir } from 'node:fs/promises'
import { type FilePath, isWithin, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { translated } from './errno.ts'
import { syncFolder } from './folders.ts'
import { below } from './handle.ts'
import type { NativePath } from './native-path.ts'
import { checkTree } from './remove.ts'
import { renameNew } from './rename.ts'
import { type Item, locateItem, refuseReserved, type Scope } from './resolve-path.ts'

/**
 * Moves an object within a file system; a link is moved itself. A folder whose content the guard refuses at the old or
 * the new path is not moved.
 * @throws not_found, exists, bad_request (a folder into itself), unsupported (another file system)
 */
export async function movePath(scope: Scope, from: FilePath, to: FilePath): Promise<void> {
  if (from === ROOT) throw new AppError('forbidden')
  if (to === ROOT) throw new AppError('exists')
  const source = await locateItem(scope, from)
  try {
    const isFolder = (await lstat(atOf(source))).isDirectory()
    refuseReserved(scope, to)
    const goal = await locateItem(scope, to)
    try {
      await (isFolder ? moveFolder(scope, source, goal) : renameNew(atOf(source), atOf(goal), { public: true }))
      await syncFolder(goal.folder)
      await syncFolder(source.folder)
    } finally {
      goal.folder.close()
    }
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    source.folder.close()
  }
}

/** Claims the new name with an empty folder, which only a rename of a folder can replace. */
async function moveFolder(scope: Scope, source: Item, goal: Item): Promise<void> {
  await checkTree(scope, source)
  await checkTree(scope, source, goal.canonical)
  if (goal.canonical !== source.canonical && isWithin(goal.canonical, source.canonical)) {
    throw new AppError('bad_request', 'a folder cannot be moved into itself')
  }
  await mkdir(atOf(goal), 0o700)
  try {
    await rename(atOf(source), atOf(goal))
  } catch (thrown) {
    await rmdir(atOf(goal)).catch(() => {})
    throw translated(thrown, { ENOTEMPTY: 'exists' })
  }
}

function atOf(item: Item): NativePath {
  return below(item.folder, item.name)
}
