import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { inRepo } from './repo.mjs'

/** Runs a function under a lock of this clone; other processes wait. A lock whose owner has exited is taken over. */
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
    // A symbolic link is created together with its content, so a new lock never looks ownerless.
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

/** Whether a process with this id exists. */
export function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
