import { closeSync, constants, openSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import { errnoOf, translated } from './errno.ts'
import { below, type Handle } from './handle.ts'
import { answersAtOnce } from './mounts.ts'
import type { Spot } from './rename.ts'
import type { Scope } from './resolve-path.ts'

/** A file without a name, in the folder that is opened. Node does not export it. */
export const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY
/** Errors of file systems without such files. */
const WITHOUT_UNNAMED = new Set(['EINVAL', 'EISDIR', 'ENOENT', 'ENOTSUP', 'EOPNOTSUPP'])

type Calling = Pick<Scope, 'kernel'>

/** A file without a name in a folder; `undefined` where the disk has none, or may have to be waited for. */
export async function openUnnamed({ kernel }: Calling, folder: Handle): Promise<FileHandle | undefined> {
  if (!kernel || folder.descriptor === undefined || !answersAtOnce(folder.real)) return undefined
  try {
    return await open(folder.at, O_TMPFILE | constants.O_RDWR, 0o600)
  } catch (thrown) {
    if (WITHOUT_UNNAMED.has(errnoOf(thrown))) return undefined
    throw thrown
  }
}

/** Gives a file its first name. @throws exists */
export function linkFile({ kernel }: Calling, { fd }: FileHandle, { folder, name }: Spot): void {
  if (!kernel || folder.descriptor === undefined) throw new AppError('unsupported')
  try {
    kernel.link(fd, { folder: folder.descriptor, name })
  } catch (thrown) {
    throw translated(thrown, { EXDEV: 'unavailable' })
  }
}

/**
 * Programs that watch folders (scanners of documents, synchronization) act on a file that is renamed, or closed after
 * writing (inotify(7)). A link is neither, and the file that is written has no name by which it could be reported: one
 * with a mode by which its owner may write is opened and closed for that once more, another one has to be renamed.
 */
export const isReportable = (mode: number): boolean => (mode & constants.S_IWUSR) !== 0

/** Gives a whole, reportable file its final name. @throws exists */
export function publishUnnamed(scope: Calling, file: FileHandle, target: Spot): void {
  linkFile(scope, file, target)
  try {
    const flags = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    closeSync(openSync(below(target.folder, target.name), flags))
  } catch {
    // Another program has already moved or locked it.
  }
}
