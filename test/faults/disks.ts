import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Puts a disk of its own, in memory, at a folder, where the system lets us. @param options such as `size=…` */
export function mountDisk(folder: string, options: string): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const unmountDisk = (folder: string): void => void execFileSync('umount', ['-l', folder])

/** Whether disks can be mounted here: as root, also as one in a namespace (`unshare -rm`). */
export const canMount = tryMount()

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'))
  const mounted = mountDisk(folder, 'size=1m')
  if (mounted) unmountDisk(folder)
  rmSync(folder, { recursive: true })
  return mounted
}
