import { readdir, readlink } from 'node:fs/promises'
import { childrenOf, memoryOf } from '../faults/memory.ts'

/** What a process holds. */
export interface Held {
  /** Without those of threads. */
  descriptors: number
  /** Threads with an event loop of their own: they begin with the first work for them, and stay. */
  threads: number
  /** All of them by what they lead to, without numbers of inodes. */
  kinds: ReadonlyMap<string, number>
  /** Opened files below the served folder: nothing when nobody asks. */
  files: string[]
  children: number
  /** MiB. */
  memory: number
}

/** Every event loop has one. */
const LOOP = 'anon_inode:[eventpoll]'
/** Descriptors of an event loop: that one, one for calls to the disk, one for signs between threads, and a pipe. */
const OF_A_LOOP = 5
/** Threads that may have begun since caches were warm: those for slow archives, checksums and folders. */
const LATE_THREADS = 4

/** MiB that caches, late threads and the heap until its next collection may add, however many requests there were. */
const MOST_GROWTH = 150

/** @param root the served folder */
export async function heldBy(pid: number, root: string): Promise<Held> {
  const names = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(names.map(name => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  const kinds = countKinds(targets)
  const threads = kinds.get(LOOP) ?? 0
  return {
    descriptors: names.length - threads * OF_A_LOOP,
    threads,
    kinds,
    files: targets.filter(target => target.startsWith(root)),
    children: (await childrenOf(pid)).length,
    memory: await memoryOf(pid),
  }
}

function countKinds(targets: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const target of targets) {
    const kind = target.replace(/\d+/g, 'N')
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

/** Of which kinds there are more than before, for a message. */
function moreOf(before: Held, now: Held): string {
  const more = [...now.kinds].filter(([kind, count]) => count > (before.kinds.get(kind) ?? 0))
  return more.map(([kind, count]) => `${kind} ${count}, not ${before.kinds.get(kind) ?? 0}`).join('; ')
}

/** What is still held that was not before. Caches may grow a little; what leaks grows with every request. */
export function leftOver(before: Held, now: Held): string[] {
  return [
    ...(now.descriptors > before.descriptors + 8
      ? [`${now.descriptors} descriptors, not ${before.descriptors}: ${moreOf(before, now)}`]
      : []),
    ...(now.threads > before.threads + LATE_THREADS ? [`${now.threads} threads, not ${before.threads}`] : []),
    ...(now.files.length > before.files.length ? now.files : []),
    ...(now.children > before.children ? [`${now.children} processes, not ${before.children}`] : []),
    ...(now.memory > before.memory + MOST_GROWTH ? [`${now.memory} MiB, not ${before.memory}`] : []),
  ]
}
