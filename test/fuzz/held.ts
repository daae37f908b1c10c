import { readdir, readlink } from 'node:fs/promises'
import { childrenOf, memoryOf } from '../faults/memory.ts'

/** The resources of a process. */
export interface Held {
  /** Descriptors, without those of threads. */
  descriptors: number
  /** Threads with an event loop of their own: they start with the first work for them, and stay. */
  threads: number
  /** All descriptors by target, without inode numbers. */
  kinds: ReadonlyMap<string, number>
  /** Open files below the served folder: none when idle. */
  files: string[]
  children: number
  /** MiB. */
  memory: number
}

/** Every event loop has one. */
const LOOP = 'anon_inode:[eventpoll]'
/**
 * Descriptors of an event loop: the epoll descriptor, one for file system calls, one for signals between threads, and a
 * pipe.
 */
const OF_A_LOOP = 5
/** Threads that may have started since the caches were warm: those for slow archives, checksums and folders. */
const LATE_THREADS = 4

/** MiB that caches, late threads and the heap until its next collection may add, whatever the number of requests. */
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

/** The kinds with more descriptors than before, for a message. */
function moreOf(before: Held, now: Held): string {
  const more = [...now.kinds].filter(([kind, count]) => count > (before.kinds.get(kind) ?? 0))
  return more.map(([kind, count]) => `${kind} ${count}, not ${before.kinds.get(kind) ?? 0}`).join('; ')
}

/** Resources that were not held before. Caches may grow a little; a leak grows with every request. */
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
