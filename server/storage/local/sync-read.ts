import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FilePath, joinPath } from '../../../shared/path.ts'
import { FACTS, type Item, type Known } from '../found-names.ts'
import { isHiddenName } from './desktop-can.ts'
import { errnoOf } from './errno.ts'
import { below, type Confinement, type Handle, holdSync } from './handle.ts'
import { nativePath, readNamesSync } from './native-path.ts'
import { pathInside } from './resolve-path.ts'

export { isHiddenName } from './desktop-can.ts'

/** Milliseconds in which a further change may leave the timestamps unchanged. */
const UNSETTLED = 2000

/**
 * A fingerprint of an object's state: a new text after every change, and for another object; `''` if that is not
 * certain yet.
 */
export function stampOf({ dev, ino, ctimeNs, ctimeMs }: BigIntStats): string {
  return Date.now() - Number(ctimeMs) < UNSETTLED ? '' : [dev, ino, ctimeNs].join(' ')
}

/** A folder as it is on disk. */
export interface FolderRead {
  stamp: string
  /** Sorted; `undefined` if the stamp is unchanged. */
  items: Item[] | undefined
  /** The folder may not be read, or reading failed. */
  isUnread?: true
}

/** How to read a folder. */
export interface HowToRead {
  level: Confinement
  stagingKey: Buffer
  /** From the previous scan. */
  stamp: string
  /** Names to read again; the others are known to be unchanged. If `undefined`, all are read when the stamp differs. */
  changed: ReadonlySet<string> | undefined
  known: () => ReadonlyMap<string, Known>
}

/** The result for a folder whose names are unknown: it counts as empty, as in a walk. */
const UNREAD: FolderRead = { stamp: '', items: [], isUnread: true }

/** Errors for a folder that is missing or no longer a folder. */
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/**
 * Reads a folder synchronously, for threads that may block. @returns `undefined` when it is missing, not a folder, or
 * lies elsewhere now
 */
export function readFolder(real: string, how: HowToRead): FolderRead | undefined {
  const handle = reachedFolder(real, how.level)
  if (handle === 'gone') return undefined
  if (handle === 'unread') return UNREAD
  try {
    const stamp = stampOf(handle.stat)
    if (!how.changed && stamp !== '' && stamp === how.stamp) return { stamp, items: undefined }
    return { stamp, items: itemsIn(handle, how) }
  } catch {
    // It may not be read, or vanished during the scan.
    return UNREAD
  } finally {
    handle.close()
  }
}

/** Holds the folder at a real path. @returns why there is none otherwise */
export function reachedFolder(real: string, level: Confinement): Handle | 'gone' | 'unread' {
  try {
    const handle = holdSync(level, nativePath(real))
    if (handle.real === real && handle.stat.isDirectory()) return handle
    handle.close()
    return 'gone'
  } catch (thrown) {
    // Unreachable: its path is too long, or its parent may not be entered.
    return GONE.has(errnoOf(thrown)) ? 'gone' : 'unread'
  }
}

function itemsIn(handle: Handle, { stagingKey, changed, known }: HowToRead): Item[] {
  const names = readNamesSync(handle.at).filter(name => !isHiddenName(stagingKey, handle.real, name))
  names.sort((a, b) => (a < b ? -1 : 1))
  const before = changed ? known() : new Map<string, Known>()
  const items: Item[] = []
  for (const name of names) {
    const now = (changed?.has(name) ? undefined : before.get(name)) ?? knownOf(handle, name)
    if (now) items.push({ name, ...now })
  }
  return items
}

function knownOf(folder: Handle, name: string): Known | undefined {
  try {
    const stat = lstatSync(below(folder, name), { throwIfNoEntry: false })
    return stat && { fact: factIn(stat), disk: diskOf(stat) }
  } catch {
    return undefined
  }
}

function factIn(stat: Stats): number {
  if (stat.isFile()) return stat.size
  if (stat.isDirectory()) return FACTS.folder
  return stat.isSymbolicLink() ? FACTS.link : FACTS.special
}

/** Unit of `Stats.blocks` in bytes, whatever the file system's block size. */
const BLOCK = 512

/** Divided among a file's hard links, so that they add up to its allocated size. */
function diskOf(stat: Stats): number {
  if (!stat.isFile()) return 0
  return Number.isFinite(stat.blocks) ? Math.round((stat.blocks * BLOCK) / Math.max(1, stat.nlink)) : stat.size
}

/** The real path of a folder below the indexed one; `undefined` if it is missing or lies elsewhere. */
export function placeOf(root: string, folder: FilePath, level: Confinement): FilePath | undefined {
  try {
    const handle = holdSync(level, nativePath(joinPath(root as FilePath, folder)))
    handle.close()
    return pathInside(root, handle.real)
  } catch {
    return undefined
  }
}

/** A file as it is on disk. */
export interface FileRead {
  stamp: string
  /** Valid until the next file is read. */
  content: Buffer
}

/**
 * Reads a file synchronously, for threads that may block; links are not followed.
 * @param folder the real path of its folder
 * @param stamp from the previous read; if unchanged, the result is `unchanged`
 * @param most bytes of the largest file that is read
 * @returns `undefined` when there is no such file, it may not be read, or is too large
 */
export function readFile(
  folder: string,
  name: string,
  level: Confinement,
  stamp: string,
  most: number,
): FileRead | 'unchanged' | undefined {
  const held = reachedFolder(folder, level)
  if (typeof held === 'string') return undefined
  let file: number | undefined
  try {
    // O_NONBLOCK: a FIFO may have taken the file's name.
    file = openSync(below(held, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(file, { bigint: true })
    if (!stat.isFile() || stat.size > most) return undefined
    const now = stampOf(stat)
    if (now !== '' && now === stamp) return 'unchanged'
    return { stamp: now, content: contentOf(file, Number(stat.size), most) }
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
    held.close()
  }
}

let room: Buffer | undefined

/** One buffer holds every file, instead of garbage after each. */
function contentOf(file: number, size: number, most: number): Buffer {
  room = room && room.length >= most ? room : Buffer.allocUnsafeSlow(most)
  let length = 0
  for (let read = -1; read !== 0 && length < size; length += read) {
    read = readSync(file, room, length, size - length, length)
  }
  return room.subarray(0, length)
}
