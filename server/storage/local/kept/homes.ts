import { type FilePath, joinPath, parentOf, pathsDownTo } from '../../../../shared/path.ts'
import { errnoOf, translated } from '../errno.ts'
import { type Handle, hold, holdAgain } from '../handle.ts'
import { mountOf } from '../mounts.ts'
import { nativePath } from '../native-path.ts'
import type { Item, Scope } from '../resolve-path.ts'

/** Milliseconds for which the homes of a folder are remembered, like mounts. */
const BELIEVED = 5000
/** Folders whose homes are remembered. */
const MOST = 1000

/** Homes by the folder's place and real path. */
const remembered = new Map<string, { homes: readonly FilePath[]; until: number }>()

/** The path of an entry in the served root; behind a link out, that of the link and the names below it. */
export const placeOf = (scope: Scope, { canonical }: Pick<Item, 'canonical'>): FilePath =>
  joinPath(scope.base, canonical)

export interface Homes {
  homes: readonly FilePath[]
  /** Whether they were found a moment ago. */
  isRemembered: boolean
}

/** The folders above an entry that are on its file system, from the highest to the one that holds it. */
export async function homesOf(scope: Scope, { folder, canonical }: Item): Promise<Homes> {
  const place = parentOf(placeOf(scope, { canonical }))
  const key = `${scope.opened}\0${place}\0${folder.real}`
  const known = remembered.get(key)
  if (known && performance.now() < known.until) return { homes: known.homes, isRemembered: true }
  const homes = await findHomes(scope, folder, place)
  if (remembered.size >= MOST) remembered.clear()
  remembered.set(key, { homes, until: performance.now() + BELIEVED })
  return { homes, isRemembered: false }
}

async function findHomes(scope: Scope, folder: Handle, from: FilePath): Promise<FilePath[]> {
  const homes: FilePath[] = []
  for (const place of pathsDownTo(from).toReversed()) {
    const held = await holdHome(scope, place).catch(thrown => unlessClosed(thrown, homes.length > 0))
    held?.close()
    if (!held || !isOneDisk(held, folder)) break
    homes.unshift(place)
  }
  return homes
}

/** Errors of a folder that the server may not enter, or that is not there any more. */
const CLOSED = new Set(['EACCES', 'ENOENT', 'ENOTDIR', 'ELOOP'])

/**
 * A folder that cannot be held is no home. Where none was found yet, another error must not look as if the disk kept
 * nothing: what is replaced would be lost.
 */
function unlessClosed(thrown: unknown, hasHome: boolean): undefined {
  if (!hasHome && !CLOSED.has(errnoOf(thrown))) throw translated(thrown)
}

/** Whether names can be moved and linked between two folders. */
export const isOneDisk = (one: Handle, other: Handle): boolean =>
  one.stat.dev === other.stat.dev && mountOf(one.real) === mountOf(other.real)

/** Holds a folder of the served root. @param near an object that is probably on its disk; see `holdAgain` */
export function holdHome(scope: Scope, home: FilePath, near?: Handle): Promise<Handle> {
  const path = nativePath(realOf(scope, home))
  return near ? holdAgain(scope.level, path, near) : hold(scope.level, path)
}

/** The real path of a place in the served root; links on the way are not resolved. */
export const realOf = ({ opened }: Pick<Scope, 'opened'>, place: FilePath): string =>
  opened === '/' ? place : place === '/' ? opened : `${opened}${place}`
