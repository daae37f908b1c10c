import { lstat, readdir, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { type FilePath, trustedChild } from '../../../shared/path.ts'
import type { SweepOptions } from '../driver.ts'
import { errnoOf, translated } from './errno.ts'
import { below, type Handle, hold } from './handle.ts'
import { nativePath, textFrom } from './native-path.ts'
import { removeTree } from './remove.ts'
import { pathInside, type Scope } from './resolve-path.ts'
import { isStagingName } from './temp-names.ts'

/** Errors after which a folder counts as removed, with all leftovers in it. */
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'])

/** Errors on removing a folder that leave it to its current user. */
const KEPT = new Set(['ENOTEMPTY', 'EEXIST', 'EBUSY', ...GONE])

/** Removes leftovers from a folder; see the driver contract. @param place its real path */
export async function sweepPlace(scope: Scope, place: string, how: SweepOptions): Promise<number> {
  const folder = await holdPlace(scope, place)
  if (!folder) return 0
  try {
    const names = await readdir(nativePath(folder.at), { encoding: 'buffer' })
    let staying = 0
    for (const name of names.map(textFrom)) {
      if (isStagingName(scope.stagingKey, name) && !(await removeLeftover(scope, folder, name, how))) staying += 1
    }
    return staying
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    folder.close()
  }
}

/**
 * Milliseconds: allowed lag of the file system's clock, and the time within which a folder is made after it was
 * recorded.
 */
const BORN_WITHIN = { before: 1000, after: 10_000 }

/** Removes a folder made for a file that never arrived; see the driver contract. @param real its real path */
export async function sweepFolder(scope: Scope, real: string, madeAt: number): Promise<void> {
  const folder = await holdPlace(scope, real)
  if (!folder) return
  folder.close()
  const born = Number(folder.stat.birthtimeMs)
  if (born < madeAt - BORN_WITHIN.before || born > madeAt + BORN_WITHIN.after) return
  const parent = await holdPlace(scope, dirname(real))
  if (!parent) return
  try {
    await rmdir(below(parent, basename(real)))
  } catch (thrown) {
    if (!KEPT.has(errnoOf(thrown))) throw translated(thrown)
  } finally {
    parent.close()
  }
}

/** The folder, if it is still at its path: no link is followed out of the store to clean up. */
async function holdPlace({ level, root, followsOut }: Scope, place: string): Promise<Handle | undefined> {
  try {
    const folder = await hold(level, nativePath(place))
    const inside = followsOut || pathInside(root, folder.real) !== undefined
    if (folder.real === place && folder.stat.isDirectory() && inside) return folder
    folder.close()
    return undefined
  } catch (thrown) {
    if (GONE.has(errnoOf(thrown))) return undefined
    throw translated(thrown)
  }
}

/** @returns whether it was removed */
async function removeLeftover(scope: Scope, folder: Handle, name: string, how: SweepOptions): Promise<boolean> {
  if (scope.unfinished.has(name) || how.isAwaited(name)) return false
  const at = below(folder, name)
  try {
    const stat = await lstat(at)
    if (stat.ctimeMs >= how.before) return false
    if (stat.isFile()) await unlink(at)
    else if (stat.isDirectory()) {
      const canonical = trustedChild('/' as FilePath, name)
      await removeTree({ ...scope, guard: undefined }, { folder, name, canonical })
    }
    // Anything else is not ours, whatever its name.
    return true
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return true
    throw thrown
  }
}
