import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Milliseconds for which the list of mounts is believed. */
const BELIEVED = 5000

let points: ReadonlySet<string> = new Set()
let readAt = Number.NEGATIVE_INFINITY

/** Where the disk is mounted that a real path is on; the top where the system does not tell. Touches no disk. */
export function mountOf(path: string): string {
  const known = mountPoints()
  for (let place = path; ; place = dirname(place)) if (known.has(place) || place === dirname(place)) return place
}

/** Names in a folder on which other disks are mounted. */
export function mountsIn(folder: string): string[] {
  const prefix = folder === '/' ? '/' : `${folder}/`
  return [...mountPoints()]
    .filter(point => point.startsWith(prefix) && point.length > prefix.length)
    .map(point => point.slice(prefix.length))
    .filter(name => !name.includes('/'))
}

/** Whether another disk is mounted at a real path or below it, as of now. */
export function holdsMount(place: string): boolean {
  return [...mountPoints(0)].some(point => point === place || point.startsWith(`${place}/`))
}

function mountPoints(believed = BELIEVED): ReadonlySet<string> {
  if (performance.now() - readAt < believed) return points
  readAt = performance.now()
  try {
    points = new Set(readFileSync('/proc/self/mountinfo', 'utf8').split('\n').map(pointOf))
  } catch {
    points = new Set()
  }
  return points
}

/** The fifth field of a line (proc_pid_mountinfo(5)), in which blanks and backslashes are written in octal. */
function pointOf(line: string): string {
  const point = line.split(' ', 5)[4] ?? ''
  return point.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
