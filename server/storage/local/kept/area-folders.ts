import { mkdir } from 'node:fs/promises'
import type { FilePath } from '../../../../shared/path.ts'
import { AppError, asAppError } from '../../../errors.ts'
import type { KeptAt } from '../../kept.ts'
import { errnoOf, translated } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle, hold, holdAgain } from '../handle.ts'
import type { Scope } from '../resolve-path.ts'
import { holdHome, isOneDisk } from './homes.ts'
import { isPrivate, storesModes } from './stored-modes.ts'

/** An area with its folders, all held open. */
export interface OpenArea extends Pick<KeptAt, 'home' | 'area'> {
  top: Handle
  files: Handle
  notes: Handle
  /** What is being deleted for good; missing in a trash can in which nothing was, and where it is not needed. */
  leaving: Handle | undefined
  /** It is a trash can of desktop programs. */
  isCan?: true
  close(): void
}

/** Holds a folder by name. @throws no_trash for a folder that is not safe */
export type HoldFolder = (parent: Handle, name: string) => Promise<Handle>

export interface Holding {
  /** The folder of the served root. */
  parent: Handle
  folder: HoldFolder
  /** The same of a folder that was probably held a moment ago; see `holdAgain`. */
  again: HoldFolder
  /** The same, made if it is missing. */
  made: HoldFolder
  /** Closes all that was held. */
  close(): void
}

/** Errors after which an area can be made only further down. */
const NOT_HERE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ELOOP'])

/**
 * Holds folders of an area one by one, without following links.
 * @param near a folder on the same disk, if the area was used a moment ago
 * @returns `undefined` where there is none, or none that is safe to use; what it held is closed then
 * @throws no_space where it would have to be made, and does not fit
 */
export async function holding<T>(
  scope: Scope,
  home: FilePath,
  act: (folders: Holding) => Promise<T | undefined>,
  near?: Handle,
): Promise<T | undefined> {
  const held: Handle[] = []
  const close = () => {
    for (const handle of held) handle.close()
  }
  const keep = async (parent: Handle, handle: Handle) => {
    held.push(handle)
    if (!(await isSafe(scope, parent, handle))) throw new AppError('no_trash')
    return handle
  }
  const folder: HoldFolder = async (parent, name) => keep(parent, await hold(scope.level, below(parent, name), true))
  const again: HoldFolder = async (parent, name) =>
    near ? keep(parent, await holdAgain(scope.level, below(parent, name), parent, true)) : folder(parent, name)
  const made = (parent: Handle, name: string) =>
    folder(parent, name).catch(async thrown => {
      if (errnoOf(thrown) !== 'ENOENT') throw thrown
      await makeFolder(parent, name)
      await syncFolder(parent)
      return folder(parent, name)
    })
  try {
    const parent = await holdHome(scope, home, near)
    held.push(parent)
    if (near && !isOneDisk(parent, near)) throw new AppError('no_trash')
    const found = await act({ parent, folder, again, made, close })
    if (found === undefined) close()
    return found
  } catch (thrown) {
    close()
    const isElsewhere = thrown instanceof AppError ? thrown.code === 'no_trash' : NOT_HERE.has(errnoOf(thrown))
    if (isElsewhere) return undefined
    throw translated(thrown)
  }
}

/**
 * The first home that serves. Quotas of folders may leave room further down.
 * @returns `undefined` where none does @throws no_space where only room is missing
 */
export async function firstHome<T>(
  homes: readonly FilePath[],
  open: (home: FilePath) => Promise<T | undefined>,
): Promise<T | undefined> {
  let full: AppError | undefined
  for (const home of homes) {
    try {
      const found = await open(home)
      if (found) return found
    } catch (thrown) {
      const error = asAppError(thrown)
      if (error.code !== 'no_space') throw thrown
      full ??= error
    }
  }
  if (full) throw full
  return undefined
}

export async function makeFolder(at: Handle, name: string): Promise<void> {
  try {
    await mkdir(below(at, name), 0o700)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown
  }
}

/** A folder, not a link, that no other account can write to, unless its disk stores no modes. */
export async function isSafe(scope: Scope, parent: Handle, { stat }: Handle): Promise<boolean> {
  return stat.isDirectory() && (isPrivate(stat) || !(await storesModes(scope, parent)))
}
