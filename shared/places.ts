import { type FilePath, joinPath, ROOT } from './path.ts'

/**
 * Places in the served roots. A place in the root of `--root` is a path of it. One in another root is `//name/path`: no
 * parsed path begins so, and none of the first root leads to it.
 */

/** A path of another root. */
export interface RootedPath {
  root: string
  path: FilePath
}

const MARK = '//'

/** The place of a path in another root. */
export const placeInRoot = ({ root, path }: RootedPath): FilePath => joinPath(`${MARK}${root}` as FilePath, path)

export const isInOtherRoot = (place: FilePath): boolean => place.startsWith(MARK)

/** The path in another root; nothing for a place in the first one. */
export function pathInRoot(place: FilePath): RootedPath | undefined {
  if (!isInOtherRoot(place)) return undefined
  const end = place.indexOf('/', MARK.length)
  if (end < 0) return { root: place.slice(MARK.length), path: ROOT }
  return { root: place.slice(MARK.length, end), path: place.slice(end) as FilePath }
}

/** Begins the versions and identities of what is in another root: those of two disks may be the same. */
export const markOf = (root: string | undefined): string => (root === undefined ? '' : `${root}:`)
