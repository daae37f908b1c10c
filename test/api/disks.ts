import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmdirSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Mounts a disk at a folder, with room for so many bytes and optionally so many files.
 * @returns whether the system permits it
 */
export function mountSmallDisk(folder: string, bytes: number, files?: number): boolean {
  mkdirSync(folder, { recursive: true })
  const options = `size=${bytes}${files === undefined ? '' : `,nr_inodes=${files}`}`
  return tryTo('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder)
}

/** Whether disks can be mounted here: as root, also as root of a namespace (`unshare -rm`). */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'))
  const mounted = mountSmallDisk(folder, 2 ** 20) && unmount(folder)
  rmdirSync(folder)
  return mounted
}

/**
 * Mounts a case-insensitive disk that refuses some names: NTFS, as on Windows, in a file next to the folder.
 * @returns whether the system permits it
 */
export function mountFoldingDisk(folder: string): boolean {
  mkdirSync(folder, { recursive: true })
  const image = `${folder}.image`
  writeFileSync(image, '')
  truncateSync(image, 8 * 2 ** 20)
  return tryTo('mkntfs', '-F', '-Q', image) && tryTo('lowntfs-3g', '-o', 'ignore_case,windows_names', image, folder)
}

/**
 * Mounts a disk that never responds: a FUSE file system without a server.
 * @returns makes it fail with errors from then on, and unmounts it; nothing if the system does not permit it
 */
export async function mountHungDisk(folder: string): Promise<(() => Promise<void>) | undefined> {
  await mkdir(folder, { recursive: true })
  const device = await open('/dev/fuse', 'r+').catch(() => undefined)
  if (!device) return undefined
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0'
  const stdio = ['ignore', 'ignore', 'ignore', device.fd] as const
  const { status } = spawnSync('mount', ['-i', '-t', 'fuse', '-o', options, 'hung', folder], { stdio: [...stdio] })
  let held = true
  const release = async () => {
    if (held) await device.close()
    held = false
    if (status === 0) unmount(folder)
  }
  if (status === 0) return release
  await release()
  return undefined
}

/** Makes a folder read-only for everyone: by a mount, or by its permissions. @returns undoes it */
export function forbidWriting(folder: string): () => void {
  if (tryTo('mount', '--bind', folder, folder) && tryTo('mount', '-o', 'remount,ro,bind', folder)) {
    return () => void tryTo('umount', folder)
  }
  chmodSync(folder, 0o555)
  return () => chmodSync(folder, 0o755)
}

/**
 * Mounts a Btrfs disk in a file next to the folder, with a subvolume.
 * @returns whether the system permits it
 */
export function mountBtrfs(folder: string, subvolume: string): boolean {
  mkdirSync(folder, { recursive: true })
  const image = `${folder}.image`
  writeFileSync(image, '')
  truncateSync(image, 128 * 2 ** 20)
  const mounted = tryTo('mkfs.btrfs', '-q', image) && tryTo('mount', '-o', 'loop', image, folder)
  return mounted && tryTo('btrfs', 'subvolume', 'create', join(folder, subvolume))
}

/**
 * Mounts a file with a file system of some kind.
 * @returns whether the system permits it, and has the program that makes one
 */
export function mountImage(folder: string, image: string, kind: 'ext4' | 'xfs' | 'btrfs', bytes: number): boolean {
  mkdirSync(folder, { recursive: true })
  writeFileSync(image, '')
  truncateSync(image, bytes)
  return tryTo(`mkfs.${kind}`, '-q', image) && mountAgain(folder, image)
}

/** Mounts a file that has a file system. @returns whether the system permits it */
export const mountAgain = (folder: string, image: string): boolean => tryTo('mount', '-o', 'loop', image, folder)

/** Mounts a folder over another one, whose folders cannot be renamed then. @returns whether the system permits it */
export function mountOverlay(folder: string, lower: string, work: string): boolean {
  for (const made of [folder, join(work, 'upper'), join(work, 'work')]) mkdirSync(made, { recursive: true })
  const options = `lowerdir=${lower},upperdir=${join(work, 'upper')},workdir=${join(work, 'work')}`
  return tryTo('mount', '-t', 'overlay', '-o', options, 'overlay', folder)
}

/** Shows a folder in a second place. @returns whether the system permits it */
export function mountBind(folder: string, place: string): boolean {
  mkdirSync(place, { recursive: true })
  return tryTo('mount', '--bind', folder, place)
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
