import { lstat, mkdir, rename, unlink } from 'node:fs/promises'
import { type FilePath, nameOf, parentOf, ROOT, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { BatchCopier, StagedTrees, StorageDriver } from '../driver.ts'
import { innerGuard } from '../guard.ts'
import { batchCopier } from './batch.ts'
import { translating, unlessGone } from './errno.ts'
import { makeFolders, syncFolder } from './folders.ts'
import { below, type Handle, hold } from './handle.ts'
import type { NativePath } from './native-path.ts'
import { removeTree } from './remove.ts'
import { renameFolderNew, TAKEN } from './rename.ts'
import { type Item, locate, locateFolder, locateItem, type Scope } from './resolve-path.ts'
import { isStagingName } from './temp-names.ts'
import { walkTree } from './tree.ts'

/**
 * Staged folders on disk: temporary folders next to their final path, so that publishing them is a rename. Like staged
 * files they are identified by their path and their signed name.
 * @param open makes a store of a folder that is its root
 */
export function stagedTreesIn(scope: Scope, open: (scope: Scope) => StorageDriver): StagedTrees {
  return {
    reserve: folder => translating(() => reserve(scope, folder)),
    store: (staged, folder) => translating(() => storeIn(scope, staged, folder, open)),
    publish: (staged, folder, how) => translating(() => publish(scope, staged, folder, how?.claimed ?? false)),
    discard: staged => translating(() => discardTree(scope, staged)),
    ...(scope.level === 'handles' && {
      batchCopier: (staged, folder) => translating(() => copierFor(scope, staged, folder)),
    }),
  }
}

async function reserve(scope: Scope, folder: FilePath): Promise<string> {
  const place = await locate(scope, parentOf(folder))
  if (!place.handle.stat.isDirectory()) {
    place.handle.close()
    throw new AppError('not_a_folder')
  }
  const { handle, canonical } = await makeFolders(scope, place, place.rest)
  try {
    return trustedChild(canonical, await scope.unfinished.begin(scope.stagingKey, handle.real))
  } finally {
    handle.close()
  }
}

async function copierFor(scope: Scope, staged: string, folder: FilePath): Promise<BatchCopier | undefined> {
  const { item, tree } = await holdTree(scope, staged)
  item.folder.close()
  tree.close()
  const place = await locateItem(scope, folder)
  place.folder.close()
  return batchCopier(scope, tree.real, place.canonical)
}

async function storeIn(
  scope: Scope,
  staged: string,
  folder: FilePath,
  open: (scope: Scope) => StorageDriver,
): Promise<StorageDriver> {
  const { item, tree } = await holdTree(scope, staged, async (folder, at) => {
    await mkdir(at, scope.dirMode)
    await syncFolder(folder)
  })
  item.folder.close()
  const { real } = tree
  await tidy(scope, tree)
  const place = await locateItem(scope, folder)
  place.folder.close()
  // Rules apply to the final path, not to the temporary one.
  const guard = scope.guard && innerGuard(scope.guard, place.canonical, undefined)
  return open({ ...scope, root: real, guard })
}

/**
 * Removes staging files that an earlier attempt left in it. @param tree ownership passes to this function, which closes
 * it
 */
function tidy({ level, stagingKey }: Scope, tree: Handle): Promise<void> {
  return walkTree(level, tree, ROOT, {
    async leaves(folder, names) {
      for (const name of names) if (isStagingName(stagingKey, name)) await unlink(below(folder, name))
    },
  })
}

/** A folder may replace an empty one, and nothing else: rename allows just that. */
async function publish(scope: Scope, staged: string, folder: FilePath, claimed: boolean): Promise<void> {
  const { item, tree } = await holdTree(scope, staged)
  tree.close()
  try {
    const goal = await locateItem(scope, folder)
    const [from, to] = [item, goal].map(({ folder, name }) => below(folder, name)) as [NativePath, NativePath]
    try {
      if (claimed) await translating(() => rename(from, to), TAKEN)
      else await renameFolderNew(scope, item, goal)
      await syncFolder(goal.folder)
      scope.unfinished.end(item.name)
    } finally {
      goal.folder.close()
    }
  } finally {
    item.folder.close()
  }
}

async function discardTree(scope: Scope, staged: string): Promise<void> {
  const held = await unlessGone(holdTree(scope, staged))
  scope.unfinished.end(nameOf(staged as FilePath))
  if (!held) return
  held.tree.close()
  await removeTree({ ...scope, guard: undefined }, held.item).finally(() => held.item.folder.close())
}

/**
 * Holds a staged folder and its parent, which must still have the same real path.
 * @param make makes a missing one
 */
export async function holdTree(
  scope: Scope,
  staged: string,
  make?: (folder: Handle, at: NativePath) => Promise<void>,
): Promise<{ item: Item; tree: Handle }> {
  const path = staged as FilePath
  const name = nameOf(path)
  if (!isStagingName(scope.stagingKey, name)) throw new AppError('not_found')
  const { handle: folder, canonical } = await locateFolder(scope, parentOf(path))
  try {
    if (canonical !== parentOf(path)) throw new AppError('not_found')
    const at = below(folder, name)
    const there = await lstat(at).catch(() => undefined)
    if (there ? !there.isDirectory() : !make) throw new AppError('not_found')
    if (!there) await make?.(folder, at)
    return { item: { folder, name, canonical: path }, tree: await hold(scope.level, at, true) }
  } catch (thrown) {
    folder.close()
    throw thrown
  }
}
