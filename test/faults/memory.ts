import { readFile } from 'node:fs/promises'

/** MiB that a process holds in memory. */
export const memoryOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** The processes that one has started, and has not seen end. */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Watches how much memory a process holds. @returns the most of it, in MiB, when it is asked to stop */
export function watchMemory(pid: number): () => number {
  let most = 0
  const look = async () => {
    most = Math.max(most, await memoryOf(pid))
  }
  const timer = setInterval(() => void look().catch(() => {}), 100)
  return () => {
    clearInterval(timer)
    return Math.round(most)
  }
}
