import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises'
import { errnoOf } from './errno.ts'
import { below, type Handle } from './handle.ts'
import type { NativePath } from './native-path.ts'
import type { Scope } from './resolve-path.ts'
import { isSameObject } from './stat-fields.ts'

/** A file being written under a temporary name in its final folder. */
export interface Staged {
  readonly file: FileHandle
  /** The temporary name. */
  readonly name: string
  /** Its path, through the folder's handle. */
  readonly at: NativePath
  /** Set once the file was renamed to its final name. */
  published: boolean
}

/** Mode bits that a replaced file passes on; never set-user-ID and the like, as with any write by another user. */
const KEPT_MODE = 0o777
const GROUP_MODE = 0o070

/**
 * Makes the file, readable by this account only. Its name counts as in use until `unfinished.end`. Throws system
 * errors.
 */
export async function openStaged(folder: Handle, { unfinished, stagingKey }: Scope): Promise<Staged> {
  const name = await unfinished.begin(stagingKey, folder.real)
  const at = below(folder, name)
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW
  try {
    return { file: await open(at, flags, 0o600), name, at, published: false }
  } catch (thrown) {
    unfinished.end(name)
    throw thrown
  }
}

/**
 * Sets the modification time, in milliseconds since the epoch. Node takes a negative number as the current time, but
 * not a negative date.
 */
export function setModified(file: FileHandle, modified: number): Promise<void> {
  return file.utimes(Date.now() / 1000, modified < 0 ? new Date(modified) : modified / 1000)
}

/** Sets owner and mode: those of the replaced file, or the mode of a new one. */
export async function setOwnerAndMode(
  file: FileHandle,
  standing: BigIntStats | undefined,
  newMode: number,
): Promise<void> {
  if (!standing) return file.chmod(newMode)
  const mode = Number(standing.mode) & KEPT_MODE
  await file.chmod((await keepOwner(file, standing)) ? mode : mode & ~GROUP_MODE)
}

/** Whether the group could be kept; otherwise its permissions must not pass to another group. */
async function keepOwner(file: FileHandle, standing: BigIntStats): Promise<boolean> {
  const own = await file.stat({ bigint: true })
  if (own.uid === standing.uid && own.gid === standing.gid) return true
  for (const uid of [standing.uid, own.uid]) {
    try {
      await file.chown(Number(uid), Number(standing.gid))
      return true
    } catch (thrown) {
      if (errnoOf(thrown) !== 'EPERM') throw thrown
    }
  }
  return own.gid === standing.gid
}

/** Closes the file and, unless it was published, removes the temporary name if it is still this file's. */
export async function discard({ file, at, published }: Staged): Promise<void> {
  try {
    if (published) return
    const [own, there] = await Promise.all([file.stat({ bigint: true }), lstat(at, { bigint: true })])
    if (isSameObject(own, there)) await unlink(at)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw thrown
  } finally {
    await file.close()
  }
}
