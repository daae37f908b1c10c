import { readdir, readFile, readlink } from 'node:fs/promises'
import { memoryOf } from '../faults/memory.ts'

/** What a process holds. */
export interface Held {
  descriptors: number
  /** Opened files below the served folder: nothing when nobody asks. */
  files: string[]
  children: number
  /** MiB. */
  memory: number
}

/** @param root the served folder */
export async function heldBy(pid: number, root: string): Promise<Held> {
  const names = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(names.map(name => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return {
    descriptors: names.length,
    files: targets.filter(target => target.startsWith(root)),
    children: children.split(' ').filter(Boolean).length,
    memory: await memoryOf(pid),
  }
}

/** What is still held that was not before. Caches may grow a little; what leaks grows with every request. */
export function leftOver(before: Held, now: Held): string[] {
  return [
    ...(now.descriptors > before.descriptors + 8 ? [`${now.descriptors} descriptors, not ${before.descriptors}`] : []),
    ...(now.files.length > before.files.length ? now.files : []),
    ...(now.children > before.children ? [`${now.children} processes, not ${before.children}`] : []),
    ...(now.memory > before.memory + 200 ? [`${now.memory} MiB, not ${before.memory}`] : []),
  ]
}
