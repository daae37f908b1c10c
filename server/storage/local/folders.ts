import { type BigIntStats, closeSync, constants, fsync } from 'node:fs'
import { chmod, lstat, mkdir, rmdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type FilePath, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { ask } from '../guard.ts'
import { errnoOf, systemError, translated } from './errno.ts'
import { below, type Handle, hold, reopen } from './handle.ts'
import { nativePath } from './native-path.ts'
import {
  locate,
  locateFolder,
  locateItem,
  type Place,
  refuseOutside,
  refuseReserved,
  type Scope,
} from './resolve-path.ts'
import { isSameObject } from './stat-fields.ts'

const fsyncAsync = promisify(fsync)

/** A folder that was made as a parent of a file. */
export interface MadeFolder {
  path: FilePath
  /** Its real path. */
  real: string
  stat: BigIntStats
}

/**
 * Makes a folder and its missing parents.
 * @throws exists, not_a_folder, bad_path (a reserved name) and what `locate` throws
 */
export async function makeFolder(scope: Scope, folder: FilePath): Promise<void> {
  refuseReserved(scope, folder)
  const place = await locate(scope, folder)
  if (!place.handle.stat.isDirectory()) {
    place.handle.close()
    throw new AppError(place.rest.length > 0 ? 'not_a_folder' : 'exists')
  }
  const last = await makeFolders(scope, place, place.rest)
  last.handle.close()
}

/** Folders whose records and flushes are batched. */
const TOGETHER = 32

/**
 * Makes the missing folders of a place and descends into them; the place's handle is replaced by the last one's. Each
 * folder's entry is on disk before this returns.
 * @param made where they are made for a file: receives them, also when a later one fails. They are recorded beforehand,
 *    and the caller either confirms the file's arrival (`settleFolders`) or removes them.
 */
export async function makeFolders(
  scope: Scope,
  place: Place,
  names: readonly string[],
  made?: MadeFolder[],
): Promise<Place> {
  const noted = made && new FolderNotes(scope)
  const changed: Handle[] = []
  let { handle, canonical } = place
  try {
    for (const [at, name] of names.entries()) {
      canonical = trustedChild(canonical, name)
      ask(scope.guard, canonical)
      if (at % TOGETHER === 0) await noted?.begin(handle, names.slice(at, at + TOGETHER))
      const isNew = await makeOne(scope, handle, name)
      if (isNew) noted?.keep(handle, name)
      const child = await holdChild(scope, handle, name)
      if (isNew) changed.push(handle)
      else handle.close()
      handle = child
      if (isNew) made?.push({ path: canonical, real: child.real, stat: child.stat })
      if (changed.length === TOGETHER) await syncFolders(changed.splice(0))
    }
    await syncFolders(changed.splice(0))
    return { handle, canonical, rest: [] }
  } catch (thrown) {
    for (const folder of [...changed, handle]) folder.close()
    throw translated(thrown, { ENOTDIR: 'not_a_folder' })
  } finally {
    await noted?.end()
  }
}

/** Records folders on one way down before they are made; those that turn out to exist are forgotten again. */
class FolderNotes {
  readonly #scope: Scope
  readonly #unmade = new Set<string>()

  constructor(scope: Scope) {
    this.#scope = scope
  }

  async begin(folder: Handle, names: readonly string[]): Promise<void> {
    const ways = names.map((_name, index) => realOf(folder, names.slice(0, index + 1).join('/')))
    for (const way of ways) this.#unmade.add(way)
    await this.#scope.unfinished.beginFolders(this.#scope.stagingKey, ways)
  }

  keep(folder: Handle, name: string): void {
    this.#unmade.delete(realOf(folder, name))
  }

  async end(): Promise<void> {
    await this.#scope.unfinished.endFolders(this.#scope.stagingKey, [...this.#unmade])
  }
}

const realOf = ({ real }: Handle, name: string) => `${real === '/' ? '' : real}/${name}`

/**
 * Sets a folder's permission bits; see the driver contract. Keeps the set-group-ID bit, which gives new children its
 * group.
 */
export async function setFolderMode(scope: Scope, folder: FilePath, mode: number): Promise<void> {
  const { handle } = await locateFolder(scope, folder)
  try {
    await chmod(nativePath(handle.at), (Number(handle.stat.mode) & 0o7000) | (mode & 0o777) | 0o700)
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    handle.close()
  }
}

/** Reports that the files of these folders have arrived. */
export async function settleFolders({ unfinished, stagingKey }: Scope, made: readonly MadeFolder[]): Promise<void> {
  await unfinished.endFolders(
    stagingKey,
    made.map(({ real }) => real),
  )
}

/** Removes folders that were made for a failed write: only those, and only while they are empty. */
export async function unmakeFolders(scope: Scope, made: readonly MadeFolder[]): Promise<void> {
  await removeFolders(scope, made)
  await settleFolders(scope, made)
}

async function removeFolders(scope: Scope, made: readonly MadeFolder[]): Promise<void> {
  for (const { path, stat } of made.toReversed()) {
    const item = await locateItem(scope, path).catch(() => undefined)
    if (!item) return
    try {
      const there = await lstat(below(item.folder, item.name), { bigint: true })
      if (isSameObject(there, stat)) await rmdir(below(item.folder, item.name))
    } catch {
      return
    } finally {
      item.folder.close()
    }
  }
}

/**
 * Flushes a folder's list of names. Some file systems do not support this (EINVAL), and a folder that is writable but
 * not readable cannot be opened for it.
 */
export async function syncFolder(folder: Handle): Promise<void> {
  try {
    const { descriptor } = await reopen(folder, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      await fsyncAsync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (thrown) {
    if (!['EINVAL', 'ENOTSUP', 'EACCES'].includes(errnoOf(thrown))) throw thrown
  }
}

/** Concurrent flushes cost hardly more than one. The folders are closed, also after a failure. */
async function syncFolders(folders: readonly Handle[]): Promise<void> {
  const ends = await Promise.allSettled(folders.map(folder => syncFolder(folder).finally(() => folder.close())))
  const failed = ends.find(end => end.status === 'rejected')
  if (failed) throw failed.reason
}

async function makeOne(scope: Scope, folder: Handle, name: string): Promise<boolean> {
  try {
    await mkdir(below(folder, name), scope.dirMode)
    return true
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return false
    throw thrown
  }
}

/** Descends one level without following a link that may have replaced the folder. */
async function holdChild(scope: Scope, folder: Handle, name: string): Promise<Handle> {
  const child = await hold(scope.level, below(folder, name), true)
  try {
    refuseOutside(scope, child)
    if (child.stat.isSymbolicLink()) throw new AppError('outside_scope')
    if (!child.stat.isDirectory()) throw systemError('ENOTDIR')
    return child
  } catch (thrown) {
    child.close()
    throw thrown
  }
}
