import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Milliseconds for which the list of mounts is believed. */
const BELIEVED = 5000

/**
 * File systems of this machine's own disks that keep what a stat tells in memory while a thing is held open. Others may ask
 * a network, a program or a pool that was lost.
 */
const PLAIN: ReadonlySet<string> = new Set(['btrfs', 'exfat', 'ext2', 'ext3', 'ext4', 'f2fs', 'tmpfs', 'vfat', 'xfs'])

/** Kinds of file systems by where they are mounted. */
let mounts: ReadonlyMap<string, string> = new Map()
/** Characters of the longest place among them: what lies deeper is not looked up name by name. */
let longest = 0
let readAt = Number.NEGATIVE_INFINITY

/** Where the disk is mounted that a real path is on; the top where the system does not tell. Touches no disk. */
export function mountOf(path: string): string {
  const known = mountsNow()
  const top = path.length > longest ? path.slice(0, Math.max(path.lastIndexOf('/', longest), 0)) || '/' : path
  for (let place = top; ; place = dirname(place)) if (known.has(place) || place === dirname(place)) return place
}

/** Whether a disk tells at once what it knows of a thing that is held open. @param path where that really is */
export function answersAtOnce(path: string): boolean {
  return path.startsWith('/') && PLAIN.has(mountsNow().get(mountOf(path)) ?? '')
}

/** Names in a folder on which other disks are mounted. */
export function mountsIn(folder: string): string[] {
  return mountsBelow(folder).filter(name => !name.includes('/'))
}

/** Paths below a folder on which other disks are mounted. */
export function mountsBelow(folder: string): string[] {
  const prefix = folder === '/' ? '/' : `${folder}/`
  return [...mountsNow().keys()]
    .filter(point => point.startsWith(prefix) && point.length > prefix.length)
    .map(point => point.slice(prefix.length))
}

/** Whether another disk is mounted at a real path or below it, as of now. */
export function holdsMount(place: string): boolean {
  return [...mountsNow(0).keys()].some(point => point === place || point.startsWith(`${place}/`))
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

/** The fifth field of a line (proc_pid_mountinfo(5)), in which blanks and backslashes are written in octal; and its kind. */
function mountIn(line: string): [point: string, kind: string] {
  const [place = '', kind = ''] = line.split(' - ', 2)
  const point = place.split(' ', 5)[4] ?? ''
  const text = point.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return [text, kind.split(' ', 1)[0] ?? '']
}
