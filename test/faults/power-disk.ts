import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file system in a file that simulates a power cut. */
export interface PowerDisk {
  /** Whether it is available: it requires the permission to mount, and Python for one call. */
  mounted: boolean
  /** The mount point. */
  folder: string
  /** Flushes all writes to the disk. */
  sync(): void
  /** Cuts the power: nothing reaches the disk any more, and unflushed data is lost. */
  cut(): void
  /** Mounts it again, as after a restart of the machine; no process may use it. */
  restart(): void
  /** Unmounts it. */
  remove(): void
}

const BYTES = 256 * 2 ** 20
/** `EXT4_IOC_SHUTDOWN` without writing the journal; see linux/fs/ext4/ext4.h. */
const CUT = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`

const run = (program: string, ...args: string[]) => void execFileSync(program, args, { stdio: 'ignore' })

const succeeds = (act: () => void): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** Creates a disk in a folder. */
export async function makePowerDisk(place: string): Promise<PowerDisk> {
  const image = join(place, 'image')
  const folder = join(place, 'disk')
  await mkdir(folder)
  await writeFile(image, '')
  await truncate(image, BYTES)
  const mount = () => run('mount', '-o', 'loop', image, folder)
  const make = () => {
    run('python3', '-c', 'import fcntl')
    run('mkfs.ext4', '-q', image)
    mount()
  }
  return {
    mounted: succeeds(make),
    folder,
    sync: () => run('sync', '-f', folder),
    cut: () => run('python3', '-c', CUT, folder),
    restart() {
      run('umount', folder)
      mount()
    },
    remove: () => void spawnSync('umount', ['-l', folder]),
  }
}
