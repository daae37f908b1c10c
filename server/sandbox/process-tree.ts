import { readdir, readFile } from 'node:fs/promises'

/** A process and its running descendants. */
export interface Family {
  /** The process itself is first. */
  pids: readonly number[]
  /** Processes and their threads. */
  tasks: number
  /** Resident anonymous memory in bytes, in total. */
  bytes: number
}

/**
 * Lists a process and its descendants (Linux).
 * @param most number of tasks after which the walk stops
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

/** The running children of a process (Linux). */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(threads.map(thread => textOf(`/proc/${pid}/task/${thread}/children`)))
  return lists.flatMap(list => list.split(' ').filter(Boolean)).map(Number)
}

/** `''` if the process has ended. */
const textOf = (path: string) => readFile(path, 'utf8').catch(() => '')
