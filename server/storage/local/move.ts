import { lstat, rename } from 'node:fs/promises'
import { type FilePath, isWithin, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { MoveOptions } from '../driver.ts'
import { demandVersion } from '../write-file.ts'
import { translated } from './errno.ts'
import { syncFolder } from './folders.ts'
import { below, statAgain } from './handle.ts'
import { keepReplaced } from './kept/keep-replaced.ts'
import type { NativePath } from './native-path.ts'
import { checkTree } from './remove.ts'
import { renameFolderNew, renameNew } from './rename.ts'
import { type Item, locateItem, refuseReserved, type Scope } from './resolve-path.ts'
import { factsOf, isSameObject, versionOf } from './stat-fields.ts'

/**
 * Moves an object within a file system; a link is moved itself. A folder whose content the guard refuses at the old or
 * the new path is not moved.
 * @throws not_found, exists, bad_request (a folder into itself), unsupported (another file system), precondition_failed
 */
export async function movePath(
  scope: Scope,
  from: FilePath,
  to: FilePath,
  { over }: Pick<MoveOptions, 'over'> = {},
): Promise<void> {
  if (from === ROOT) throw new AppError('forbidden')
  if (to === ROOT) throw new AppError('exists')
  const source = await locateItem(scope, from)
  try {
    const isFolder = (await lstat(atOf(source))).isDirectory()
    refuseReserved(scope, to)
    const goal = await locateItem(scope, to)
    try {
      if (isFolder) await moveFolder(scope, source, goal)
      else if (over) await moveOver(scope, source, goal, over)
      else await renameNew(scope, source, goal, { public: true })
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

async function moveFolder(scope: Scope, source: Item, goal: Item): Promise<void> {
  await checkTree(scope, source)
  await checkTree(scope, source, goal.canonical)
  if (goal.canonical !== source.canonical && isWithin(goal.canonical, source.canonical)) {
    throw new AppError('bad_request', 'a folder cannot be moved into itself')
  }
  await renameFolderNew(scope, source, goal)
}

/**
 * Renames a file over another one, which is kept and recorded before it gives way. What has come to the new name since is
 * kept, too.
 */
async function moveOver(
  scope: Scope,
  source: Item,
  goal: Item,
  { keep, ifMatch }: NonNullable<MoveOptions['over']>,
): Promise<void> {
  const { moved, there } = await demandFiles(source, goal)
  demandVersion(there && versionOf(there), ifMatch === undefined ? {} : { ifMatch })
  if (!there) return renameNew(scope, source, goal, { public: true })
  if (!keep) return rename(atOf(source), atOf(goal))
  const kept = await keepReplaced(scope, goal, { keep, ifMatch, made: factsOf(moved) })
  if (kept === 'absent') return moveOver(scope, source, goal, { keep })
  if (!kept) return rename(atOf(source), atOf(goal))
  try {
    await kept.confirm()
    await rename(atOf(source), atOf(goal))
  } catch (thrown) {
    await kept.undo()
    kept.close()
    throw thrown
  }
  await kept.done().finally(() => kept.close())
}

/** Two names of one file are no two files: a rename would leave both. @throws exists, not_found, unsupported */
async function demandFiles(source: Item, goal: Item) {
  const [moved, there] = [await statAgain(source.folder, source.name), await statAgain(goal.folder, goal.name)]
  if (!moved) throw new AppError('not_found')
  // An overlay reports its own device for each folder, but not for each file.
  if (source.folder.stat.dev !== goal.folder.stat.dev) throw new AppError('unsupported')
  if (there && !(moved.isFile() && there.isFile() && !isSameObject(moved, there))) throw new AppError('exists')
  return { moved, there }
}

function atOf(item: Item): NativePath {
  return below(item.folder, item.name)
}
