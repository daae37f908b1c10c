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
export const placeOf = (scope: Pick<Scope, 'base'>, { canonical }: Pick<Item, 'canonical'>): FilePath =>
  joinPath(scope.base, canonical)

/** The part of a scope that homes are found in. */
type Homing = Pick<Scope, 'base' | 'opened' | 'level'>

export interface Homes {
  homes: readonly FilePath[]
  /** Whether they were found a moment ago. */
  isRemembered: boolean
}

/** The folders above an entry that are on its file system, from the highest to the one that holds it. */
export async function homesOf(
  scope: Homing,
  { folder, canonical }: Pick<Item, 'folder' | 'canonical'>,
): Promise<Homes> {
  const place = parentOf(placeOf(scope, { canonical }))
  const key = `${scope.opened}\0${place}\0${folder.real}`
  const known = remembered.get(key)
  if (known && performance.now() < known.until) return { homes: known.homes, isRemembered: true }
  const { homes, isSure } = await findHomes(scope, folder, place)
  if (remembered.size >= MOST) remembered.clear()
  if (isSure) remembered.set(key, { homes, until: performance.now() + BELIEVED })
  return { homes, isRemembered: false }
}

/** @returns `isSure`: false when a folder on the way was moved meanwhile, so that the next look may find more homes */
async function findHomes(scope: Homing, folder: Handle, from: FilePath) {
  const homes: FilePath[] = []
  let isSure = true
  for (const place of pathsDownTo(from).toReversed()) {
    const held = await holdHome(scope, place).catch(thrown => unlessClosed(thrown, homes.length > 0))
    if (held === 'gone') {
      isSure = false
      continue
    }
    held?.close()
    if (!held || !isOneDisk(held, folder)) break
    homes.unshift(place)
  }
  return { homes, isSure }
}

/** Errors of a folder that is not there any more. */
const GONE = new Set(['ENOENT', 'ENOTDIR'])
/** Errors of one that the server may not enter, and of a link. */
const CLOSED = new Set(['EACCES', 'ELOOP'])

/**
 * A closed folder is no home. Where none was found yet, another error must not look as if the disk kept nothing: what is
 * replaced would be lost.
 */
function unlessClosed(thrown: unknown, hasHome: boolean): 'gone' | undefined {
  const errno = errnoOf(thrown)
  if (GONE.has(errno)) return 'gone'
  if (!hasHome && !CLOSED.has(errno)) throw translated(thrown)
  return undefined
}

/** Whether names can be moved and linked between two folders. */
export const isOneDisk = (one: Handle, other: Handle): boolean =>
  one.stat.dev === other.stat.dev && mountOf(one.real) === mountOf(other.real)

/** Holds a folder of the served root. @param near an object that is probably on its disk; see `holdAgain` */
export function holdHome(scope: Pick<Scope, 'opened' | 'level'>, home: FilePath, near?: Handle): Promise<Handle> {
  const path = nativePath(realOf(scope, home))
  return near ? holdAgain(scope.level, path, near) : hold(scope.level, path)
}

/** The real path of a place in the served root; links on the way are not resolved. */
export const realOf = ({ opened }: Pick<Scope, 'opened'>, place: FilePath): string =>
  opened === '/' ? place : place === '/' ? opened : `${opened}${place}`
