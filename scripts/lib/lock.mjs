import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { inRepo } from './repo.mjs'

/**
 * Runs something that only one process at a time may do in this clone; others wait. A lock whose owner is gone is taken
 * over.
 */
export async function alone(name, act) {
  const file = inRepo('dist', `${name}.lock`)
  mkdirSync(inRepo('dist'), { recursive: true })
  while (!take(file)) await pause(200)
  try {
    return await act()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file) {
  const own = `${file}-${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    // A link appears with its content, so that nobody takes a lock for ownerless that is just being made.
    linkSync(own, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isRunning(ownerOf(file))) rmSync(file, { force: true })
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

/** Whether a process of this number exists. */
export function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
