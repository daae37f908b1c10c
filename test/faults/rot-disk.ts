import { execFileSync } from 'node:child_process'
import { mkdir, open, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file system in a file, whose blocks can be changed under it. */
export interface RotDisk {
  /** Whether the system permits it. */
  mounted: boolean
  /** The mount point. */
  folder: string
  /** Flips one byte of a file's content on the disk; the file system does not notice. @param name a unique content */
  flip(content: string): Promise<void>
  /** Makes the blocks of a file unreadable. @param path of a file that was written last */
  cutOff(path: string): Promise<void>
  remove(): void
}

const BYTES = 24 * 2 ** 20
const BLOCK = 4096

/** An ext4 file system in a file of a folder. */
export async function rotDisk(home: string): Promise<RotDisk> {
  const [image, folder] = [join(home, 'rot.image'), join(home, 'rot')]
  await mkdir(folder, { recursive: true })
  await writeFile(image, '')
  await truncate(image, BYTES)
  const mount = () => run('mount', '-o', 'loop', image, folder)
  const mounted = tries(() => {
    run('mkfs.ext4', '-q', '-b', String(BLOCK), image)
    mount()
  })
  return {
    mounted,
    folder,
    async flip(content) {
      run('umount', folder)
      const file = await open(image, 'r+')
      try {
        const at = (await file.readFile()).indexOf(content)
        const byte = Buffer.alloc(1)
        await file.read(byte, 0, 1, at)
        byte[0] = (byte[0] ?? 0) ^ 1
        await file.write(byte, 0, 1, at)
      } finally {
        await file.close()
      }
      mount()
    },
    async cutOff(path) {
      run('sync', '-f', path)
      const extents = execFileSync('filefrag', ['-v', `-b${BLOCK}`, path], { encoding: 'utf8' })
      const [, first = ''] = /^\s*0:\s+\d+\.\.\s*\d+:\s+(\d+)\.\./m.exec(extents) ?? []
      await truncate(image, Number(first) * BLOCK)
      run('dd', `if=${path}`, 'iflag=nocache', 'count=0', 'status=none')
    },
    remove: () => void tries(() => run('umount', '-l', folder)),
  }
}

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'ignore' })

function tries(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}
