import { constants } from 'node:fs'
import { copyFile, type FileHandle } from 'node:fs/promises'
import type { Copying } from '../write-file.ts'
import { translating } from './errno.ts'
import { copyWithin } from './kernel/copy.ts'
import type { Kernel } from './kernel/kernel.ts'

/** Bytes of a file that the system copies in one call, which cannot be cancelled. */
const COPIED_AT_ONCE = 16 * 1024 ** 2

/** Errors of file systems that do not share blocks. */
const UNSHARED = {
  EXDEV: 'unsupported',
  EINVAL: 'unsupported',
  ENOTSUP: 'unsupported',
  ENOSYS: 'unsupported',
  ENOTTY: 'unsupported',
} as const

/**
 * Fills an empty file with the blocks of another one, or with a copy made within the kernel.
 * @param copying as of `StagedFile.share`
 * @returns how many bytes were reported as copied @throws unsupported
 */
export function cloneInto(
  file: FileHandle,
  { descriptor, size }: { descriptor: number; size: number },
  copying: Copying | undefined,
  kernel: Kernel | undefined,
): Promise<number> {
  const { COPYFILE_FICLONE, COPYFILE_FICLONE_FORCE } = constants
  const isShort = size <= COPIED_AT_ONCE
  const how = copying && isShort ? COPYFILE_FICLONE : COPYFILE_FICLONE_FORCE
  return translating(async () => {
    try {
      await copyFile(`/proc/self/fd/${descriptor}`, `/proc/self/fd/${file.fd}`, how)
      return 0
    } catch (thrown) {
      if (!copying || isShort || !kernel) throw thrown
      return copyWithin(descriptor, file, size, copying)
    }
  }, UNSHARED)
}
