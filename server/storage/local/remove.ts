import type { BigIntStats } from 'node:fs'
import { lstat, rename, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { RemoveOptions } from '../driver.ts'
import { ask } from '../guard.ts'
import { isStill } from '../same-object.ts'
import { refuseAborted } from '../write-file.ts'
import { errnoOf, translated } from './errno.ts'
import { below, type Handle, hold } from './handle.ts'
import { mountsWithin } from './mounts.ts'
import type { NativePath } from './native-path.ts'
import { renameNew } from './rename.ts'
import { type Item, locateItem, type Scope } from './resolve-path.ts'
import { entryOf } from './stat.ts'
import { areaName } from './temp-names.ts'
import { walkTree } from './tree.ts'

/** Concurrent removals: enough to keep the disk busy, few enough to leave threads for other operations. */
const AT_ONCE = 32
/** Attempts when entries are added to a folder while it is being removed. */
const ATTEMPTS = 3

/** Removes a file, a link or a tree; see the driver contract. */
export async function removePath(scope: Scope, path: FilePath, how: RemoveOptions = {}): Promise<void> {
  if (path === ROOT) throw new AppError('forbidden')
  const item = await locateItem(scope, path)
  try {
    const at = below(item.folder, item.name)
    if (how.exactly) await removeExactly(scope, item, how.exactly)
    else if (!(await lstat(at)).isDirectory()) await unlink(at)
    else {
      demandNoMounts(scope, item)
      await checkTree(scope, item).then(() => removeTree(scope, item, how))
    }
    how.removed?.(1)
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    item.folder.close()
  }
}

/** A name cannot be removed on the condition of its object, so the object gets a temporary one first. */
async function removeExactly(scope: Scope, item: Item, known: NonNullable<RemoveOptions['exactly']>): Promise<void> {
  const at = below(item.folder, item.name)
  const isKnown = (stat: BigIntStats) => isStill(entryOf(item.canonical, item.canonical, { stat }, false), known)
  const there = await lstat(at, { bigint: true })
  if (!isKnown(there)) throw new AppError('not_found')
  if (there.isDirectory()) return rmdir(at)
  const temporary = await scope.unfinished.begin(scope.stagingKey, item.folder.real)
  const aside = below(item.folder, temporary)
  try {
    await rename(at, aside)
    const came = await lstat(aside, { bigint: true })
    if (isKnown(came)) return await unlink(aside)
    await (came.isDirectory() ? rename(aside, at) : giveBack(scope, item, temporary))
    throw new AppError('not_found')
  } finally {
    scope.unfinished.end(temporary)
  }
}

/** Gives an object its name again, or one like it where yet another one has that. */
async function giveBack(scope: Scope, item: Item, aside: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const name = attempt === 0 ? item.name : `${item.name}~${attempt}`
    try {
      return await renameNew(scope, { folder: item.folder, name: aside }, { folder: item.folder, name })
    } catch (thrown) {
      if (translated(thrown).code !== 'exists') throw thrown
    }
  }
}

/**
 * Refuses a tree that holds another file system: its content is not meant, and a mount point cannot be removed.
 * @throws unavailable, with the mount points that the guard allows
 */
export function demandNoMounts({ guard }: Scope, { folder, name, canonical }: Item): void {
  const mounts = mountsWithin(join(folder.real, name))
  if (mounts.length === 0) return
  const paths = mounts.map(inner => `${canonical}${inner}` as FilePath)
  throw new AppError('unavailable', 'unavailable', { mounts: paths.filter(path => guard?.(path) ?? true) })
}

/**
 * Asks the guard about every entry of a tree.
 * @param as the path to ask about, where it differs from the tree's current one
 * @throws forbidden
 */
export async function checkTree(scope: Scope, item: Item, as: FilePath = item.canonical): Promise<void> {
  if (!scope.guard) return
  await walkTree(scope.level, await holdTop(scope, item), as, { check: path => ask(scope.guard, path) })
}

/**
 * Removes a folder with all its content; objects outside it are never touched.
 * @throws unavailable when it holds deleted things that are kept
 */
export async function removeTree(scope: Scope, item: Item, { signal, removed }: RemoveOptions = {}): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await walkTree(scope.level, await holdTop(scope, item), item.canonical, {
        check(path) {
          if (isKept(scope, path)) throw new AppError('unavailable', 'a folder in it has deleted items of its own')
          ask(scope.guard, path)
        },
        leaves: async (folder, names) => {
          for (let start = 0; start < names.length; start += AT_ONCE) {
            refuseAborted(signal)
            const some = names.slice(start, start + AT_ONCE)
            await Promise.all(some.map(name => unlinkIfThere(below(folder, name))))
            removed?.(some.length)
          }
        },
        left: async (parent, name) => {
          refuseAborted(signal)
          await rmdir(below(parent, name))
          removed?.(1)
        },
      })
      return await rmdir(below(item.folder, item.name))
    } catch (thrown) {
      const isBusy = errnoOf(thrown) === 'ENOTEMPTY' || errnoOf(thrown) === 'EEXIST'
      if (!isBusy || attempt === ATTEMPTS) throw translated(thrown, { EEXIST: 'unavailable' })
    }
  }
}

/** Whether a path is that of a kept thing. */
export function isKept({ stagingKey }: Pick<Scope, 'stagingKey'>, path: FilePath): boolean {
  const [, inside] = path.split(`/${areaName(stagingKey)}/`)
  return inside !== undefined && (inside.startsWith('trash/files/') || /^versions\/[^/]+\/./.test(inside))
}

async function unlinkIfThere(at: NativePath): Promise<void> {
  try {
    await unlink(at)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw thrown
  }
}

async function holdTop(scope: Scope, item: Item): Promise<Handle> {
  const top = await hold(scope.level, below(item.folder, item.name), true)
  if (top.stat.isDirectory()) return top
  top.close()
  throw new AppError('unavailable')
}
