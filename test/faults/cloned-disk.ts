import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { mountImage, unmount } from '../api/disks.ts'

export const KINDS = ['ext4', 'xfs', 'btrfs'] as const
export type Kind = (typeof KINDS)[number]

/** A disk in an image, of which a power cut at any moment leaves a copy: what the disk held then. */
export interface ClonedDisk {
  /** Whether it is available: it requires the permission to mount, and the programs of the file system. */
  mounted: boolean
  /** Where the disk is mounted. */
  folder: string
  /** Flushes all writes to the disk. */
  sync(): void
  /** Copies the disk of this moment; what its file system has not written to it is lost in the copy. */
  cut(): void
  /** Mounts the copy, as after a restart. @returns where */
  restart(): string
  /** Unmounts the copy, which no process may use, and removes it. @returns what its file system's own check says if unsound */
  check(): string | undefined
  /** Unmounts everything. */
  remove(): void
}

const IMAGE = 512 * 2 ** 20
/** Sparse; holds the image and what differs in the copy. */
const OUTER = 4 * 2 ** 30

/** Mount options of a disk while another one with its identity is mounted. */
const TWICE: Readonly<Record<Kind, string>> = { ext4: 'loop', xfs: 'loop,nouuid', btrfs: 'loop' }

/** What compares a file system that is not mounted, and changes nothing. */
const CHECKS: Readonly<Record<Kind, readonly [string, ...string[]]>> = {
  ext4: ['e2fsck', '-fn'],
  xfs: ['xfs_repair', '-n'],
  btrfs: ['btrfs', 'check', '--readonly'],
}

const run = (program: string, ...args: string[]) => void execFileSync(program, args, { stdio: 'pipe' })

/** Creates a disk in a folder. Its image lies on XFS, which copies a file in use as it is at one moment (`FICLONE`). */
export async function makeClonedDisk(place: string, kind: Kind): Promise<ClonedDisk> {
  const [outer, folder, copy] = [join(place, 'outer'), join(place, 'disk'), join(place, 'copy')]
  const [image, clone] = [join(outer, 'image'), join(outer, 'clone')]
  await mkdir(copy)
  const mounted = mountImage(outer, join(place, 'outer.image'), 'xfs', OUTER) && mountImage(folder, image, kind, IMAGE)
  return {
    mounted,
    folder,
    sync: () => run('sync', '-f', folder),
    cut: () => run('cp', '--reflink=always', image, clone),
    restart() {
      run('mount', '-o', TWICE[kind], clone, copy)
      return copy
    },
    check() {
      run('umount', copy)
      const [program, ...args] = CHECKS[kind]
      const { status, stdout, stderr } = spawnSync(program, [...args, clone], { encoding: 'utf8' })
      run('rm', clone)
      return status === 0 ? undefined : `${stdout}${stderr}`
    },
    remove() {
      for (const mount of [copy, folder, outer]) unmount(mount)
    },
  }
}
