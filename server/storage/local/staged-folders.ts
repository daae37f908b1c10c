import { lstat, mkdir, rename, rmdir, unlink } from 'node:fs/promises'
import { type FilePath, nameOf, parentOf, ROOT, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { StagedTrees, StorageDriver, TreeFiller } from '../driver.ts'
import { innerGuard } from '../guard.ts'
import { fillerOf } from './batch-copy.ts'
import { translated, translating, unlessGone } from './errno.ts'
import { makeFolders, syncFolder } from './folders.ts'
import { below, type Handle, hold } from './handle.ts'
import type { NativePath } from './native-path.ts'
import { removeTree } from './remove.ts'
import { type Item, locate, locateFolder, locateItem, type Scope } from './resolve-path.ts'
import { isStagingName } from './temp-names.ts'
import { walkTree } from './tree.ts'

/**
 * Unfinished folders on disk: folders of ours beside the place they are meant for, so that publishing them is a rename.
 * Like unfinished files they are known by their path, and by their signed name.
 * @param open makes a store of a folder that is its root
 */
export function stagedTreesIn(scope: Scope, open: (scope: Scope) => StorageDriver): StagedTrees {
  return {
    reserve: folder => translating(() => reserve(scope, folder)),
    store: (staged, folder) => translating(() => storeIn(scope, staged, folder, open)),
    publish: (staged, folder, how) => translating(() => publish(scope, staged, folder, how?.claimed ?? false)),
    discard: staged => translating(() => discardTree(scope, staged)),
    ...(scope.level === 'handles' && {
      filler: (staged, folder) => translating(() => fillerFor(scope, staged, folder)),
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

async function fillerFor(scope: Scope, staged: string, folder: FilePath): Promise<TreeFiller | undefined> {
  const { item, tree } = await holdTree(scope, staged)
  item.folder.close()
  tree.close()
  const place = await locateItem(scope, folder)
  place.folder.close()
  return fillerOf(scope, tree.real, place.canonical)
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
  // Rules are asked about the place it is meant for, not about where it waits.
  const guard = scope.guard && innerGuard(scope.guard, place.canonical, undefined)
  return open({ ...scope, root: real, guard })
}

/** Removes unfinished files that an earlier attempt left in it. @param tree taken over: closed at the end */
function tidy({ level, stagingKey }: Scope, tree: Handle): Promise<void> {
  return walkTree(level, tree, ROOT, {
    async leaves(folder, names) {
      for (const name of names) if (isStagingName(stagingKey, name)) await unlink(below(folder, name))
    },
  })
}

/** A folder may take the place of an empty one, and of nothing else: that is what a rename allows. */
async function publish(scope: Scope, staged: string, folder: FilePath, claimed: boolean): Promise<void> {
  const { item, tree } = await holdTree(scope, staged)
  tree.close()
  try {
    const goal = await locateItem(scope, folder)
    const at = below(goal.folder, goal.name)
    try {
      if (!claimed) await mkdir(at, 0o700)
      await rename(below(item.folder, item.name), at).catch(async (thrown: unknown) => {
        if (!claimed) await rmdir(at).catch(() => {})
        throw translated(thrown, { ENOTEMPTY: 'exists', ENOTDIR: 'exists' })
      })
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
 * Holds an unfinished folder and the one it lies in, which must still be the very place it was.
 * @param make makes one that is missing
 */
async function holdTree(
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
