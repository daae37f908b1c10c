import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Milliseconds for which the mount list is cached. */
const BELIEVED = 5000

/**
 * Local file systems that keep the metadata of open files in memory. Others may query a network, a program or a lost
 * pool.
 */
const PLAIN: ReadonlySet<string> = new Set(['btrfs', 'exfat', 'ext2', 'ext3', 'ext4', 'f2fs', 'tmpfs', 'vfat', 'xfs'])

/** File system types by mount point. */
let mounts: ReadonlyMap<string, string> = new Map()
/** Length in characters of the longest mount point: deeper names need no lookup. */
let longest = 0
let readAt = Number.NEGATIVE_INFINITY

/** The mount point of a real path; `/` where the system does not list mounts. Touches no disk. */
export function mountOf(path: string): string {
  const known = mountsNow()
  const top = path.length > longest ? path.slice(0, Math.max(path.lastIndexOf('/', longest), 0)) || '/' : path
  for (let place = top; ; place = dirname(place)) if (known.has(place) || place === dirname(place)) return place
}

/** Whether a real path is the top of a mounted file system. */
export const isMountPoint = (path: string): boolean => mountsNow().has(path)

/** Whether the metadata of an open object is available without blocking. @param path its real path */
export function answersAtOnce(path: string): boolean {
  return path.startsWith('/') && PLAIN.has(mountsNow().get(mountOf(path)) ?? '')
}

/** Names in a folder that are mount points. */
export function mountsIn(folder: string): string[] {
  return mountsBelow(folder).filter(name => !name.includes('/'))
}

/** Mount points below a folder. */
export function mountsBelow(folder: string): string[] {
  const prefix = folder === '/' ? '/' : `${folder}/`
  return [...mountsNow().keys()]
    .filter(point => point.startsWith(prefix) && point.length > prefix.length)
    .map(point => point.slice(prefix.length))
}

/** Mount points at a real path (`''`) and below it (`/…`), from a fresh mount list. */
export function mountsWithin(place: string): string[] {
  const within = [...mountsNow(0).keys()].filter(point => point === place || point.startsWith(`${place}/`))
  return within.map(point => point.slice(place.length))
}

function mountsNow(believed = BELIEVED): ReadonlyMap<string, string> {
  if (performance.now() - readAt < believed) return mounts
  readAt = performance.now()
  try {
    mounts = new Map(readFileSync('/proc/self/mountinfo', 'utf8').split('\n').map(mountIn))
  } catch {
    mounts = new Map()
  }
  longest = Math.max(0, ...[...mounts.keys()].map(point => point.length))
  return mounts
}

/**
 * The fifth field of a line (proc_pid_mountinfo(5)), in which blanks and backslashes are escaped in octal; and the file
 * system type.
 */
function mountIn(line: string): [point: string, kind: string] {
  const [place = '', kind = ''] = line.split(' - ', 2)
  const point = place.split(' ', 5)[4] ?? ''
  const text = point.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return [text, kind.split(' ', 1)[0] ?? '']
}
