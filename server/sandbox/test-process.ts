import { existsSync, readFileSync } from 'node:fs'
import { vi } from 'vitest'

/** Timeout in milliseconds; less than the programs of the tests sleep. */
const PATIENT = { timeout: 20_000 }

/** The text of a file; `''` until it exists. */
export const textIn = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** The process whose id a script writes into a file, once it has. */
export const pidIn = (path: string): Promise<number> => vi.waitUntil(() => Number(textIn(path)) || false, PATIENT)

/** Whether a process runs; one that has ended may wait for its parent to notice. */
export const isAlive = (pid: number): boolean => /\) [^ZX] /.test(textIn(`/proc/${pid}/stat`))

/** Waits until a process has ended. */
export const isGone = (pid: number): Promise<boolean> => vi.waitUntil(() => !isAlive(pid), PATIENT)
