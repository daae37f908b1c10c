import { existsSync, readFileSync } from 'node:fs'
import { vi } from 'vitest'

/** The text of a file; `''` until there is one. */
export const textIn = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** The process whose id a script writes into a file, once it has. */
export const pidIn = (path: string): Promise<number> => vi.waitUntil(() => Number(textIn(path)) || false)

/** Whether a process runs; one that has ended may wait for its parent to notice. */
export const isAlive = (pid: number): boolean => /\) [^ZX] /.test(textIn(`/proc/${pid}/stat`))
