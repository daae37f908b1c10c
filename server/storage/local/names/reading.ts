import { type BigIntStats, lstatSync, type Stats } from 'node:fs'
import { type FilePath, joinPath } from '../../../../shared/path.ts'
import { FACTS, type Item, type Known } from '../../names/name-pages.ts'
import { errnoOf } from '../errno.ts'
import { below, type Confinement, type Handle, holdSync } from '../handle.ts'
import { nativePath, readNamesSync } from '../native-path.ts'
import { pathInside } from '../resolve-path.ts'
import { isStagingName } from '../temp-names.ts'

/** Milliseconds in which a thing may change once more without its time telling. */
const UNSETTLED = 2000

/** What a thing is like: another text after every change of it, and for another thing; `''` if that is not sure. */
export function stampOf({ dev, ino, ctimeNs, ctimeMs }: BigIntStats): string {
  return Date.now() - Number(ctimeMs) < UNSETTLED ? '' : [dev, ino, ctimeNs].join(' ')
}

/** A folder as it is on disk. */
export interface FolderRead {
  stamp: string
  /** Sorted; nothing if the stamp is the one that is known. */
  items: Item[] | undefined
  /** It may not be read, or could not be. */
  isUnread?: true
}

/** How a folder is to be read. */
export interface HowToRead {
  level: Confinement
  stagingKey: Buffer
  /** Of the last time. */
  stamp: string
  /** Names that are looked at anew; what is known of the others holds. All without it, if the stamp is another. */
  changed: ReadonlySet<string> | undefined
  known: () => ReadonlyMap<string, Known>
}

/** What is told of a folder whose names are not known: nothing in it is met, as on a walk. */
const UNREAD: FolderRead = { stamp: '', items: [], isUnread: true }

/** Why something cannot be held that is not there, or no folder, any more. */
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/**
 * Reads a folder without waiting for anybody, on a thread that may. @returns nothing when it is gone, or no folder, or
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
    // It may not be read, or vanished meanwhile.
    return UNREAD
  } finally {
    handle.close()
  }
}

/** Holds a folder that really is at a path. @returns nothing when it is not */
export function heldFolder(real: string, level: Confinement): Handle | undefined {
  const held = reachedFolder(real, level)
  return held === 'gone' || held === 'unread' ? undefined : held
}

/** The same, saying why not. */
export function reachedFolder(real: string, level: Confinement): Handle | 'gone' | 'unread' {
  try {
    const handle = holdSync(level, nativePath(real))
    if (handle.real === real && handle.stat.isDirectory()) return handle
    handle.close()
    return 'gone'
  } catch (thrown) {
    // Not to be reached: its path is too long, or what holds it may not be entered.
    return GONE.has(errnoOf(thrown)) ? 'gone' : 'unread'
  }
}

function itemsIn(handle: Handle, { stagingKey, changed, known }: HowToRead): Item[] {
  const names = readNamesSync(handle.at).filter(name => !isStagingName(stagingKey, name))
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

/** Bytes in a block of `Stats.blocks`, whatever the disk's own are. */
const BLOCK = 512

/** Shared among the names of a file, so that they add up to what it takes. */
function diskOf(stat: Stats): number {
  if (!stat.isFile()) return 0
  return Number.isFinite(stat.blocks) ? Math.round((stat.blocks * BLOCK) / Math.max(1, stat.nlink)) : stat.size
}

/** Where a folder really is below the indexed one; nothing if it is gone or elsewhere. */
export function placeOf(root: string, folder: FilePath, level: Confinement): FilePath | undefined {
  try {
    const handle = holdSync(level, nativePath(joinPath(root as FilePath, folder)))
    handle.close()
    return pathInside(root, handle.real)
  } catch {
    return undefined
  }
}
