import { readFile } from 'node:fs/promises'

/** Resident memory of a process in MiB. */
export const memoryOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** The running children of a process. */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Monitors the memory of a process. @returns stops it, and returns the maximum in MiB */
export function watchMemory(pid: number): () => number {
  let most = 0
  const sample = async () => {
    most = Math.max(most, await memoryOf(pid))
  }
  const timer = setInterval(() => void sample().catch(() => {}), 100)
  return () => {
    clearInterval(timer)
    return Math.round(most)
  }
}
