import { readdir, readFile } from 'node:fs/promises'

/** A process and all that it has started, as far as they still run. */
export interface Family {
  /** The process itself comes first. */
  pids: readonly number[]
  /** Processes and their threads. */
  tasks: number
  /** Memory of their own, together. */
  bytes: number
}

/**
 * Looks who belongs to a process now (Linux).
 * @param most tasks after which it is not looked any further
 */
export async function familyOf(pid: number, most: number): Promise<Family> {
  const pids = [pid]
  let [tasks, bytes] = [0, 0]
  for (const member of pids) {
    const status = await textOf(`/proc/${member}/status`)
    tasks += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    bytes += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024
    if (tasks > most) break
    pids.push(...(await childrenOf(member)))
  }
  return { pids, tasks, bytes }
}

/** The processes that a process has started itself, as far as they still run (Linux). */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(threads.map(thread => textOf(`/proc/${pid}/task/${thread}/children`)))
  return lists.flatMap(list => list.split(' ').filter(Boolean)).map(Number)
}

/** `''` of a process that is gone. */
const textOf = (path: string) => readFile(path, 'utf8').catch(() => '')
