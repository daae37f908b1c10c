import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'

/** Puts a disk of its own of so many bytes at a folder. @returns whether the system lets us */
export function mountSmallDisk(folder: string, bytes: number): boolean {
  mkdirSync(folder, { recursive: true })
  return tryTo('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder)
}

/** Makes a folder one that nobody can write to: as a disk would be, or by its permissions. @returns undoes it */
export function forbidWriting(folder: string): () => void {
  if (tryTo('mount', '--bind', folder, folder) && tryTo('mount', '-o', 'remount,ro,bind', folder)) {
    return () => void tryTo('umount', folder)
  }
  chmodSync(folder, 0o555)
  return () => chmodSync(folder, 0o755)
}

export const unmount = (folder: string): boolean => tryTo('umount', folder)

function tryTo(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
