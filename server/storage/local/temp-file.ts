import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises'
import { errnoOf } from './errno.ts'
import { below, type Handle } from './handle.ts'
import type { NativePath } from './native-path.ts'
import type { Scope } from './resolve-path.ts'
import { isSameObject } from './stat-fields.ts'

/** A file being written, under a temporary name of ours in the folder it is meant for. */
export interface Staged {
  readonly file: FileHandle
  /** The temporary name. */
  readonly name: string
  /** Its path, through the folder's handle. */
  readonly at: NativePath
  /** Set once the temporary name is gone because the file has its final one. */
  published: boolean
}

/** Bits a replaced file passes on; never set-user-id and its like, as with any write by somebody else. */
const KEPT_MODE = 0o777
const GROUP_MODE = 0o070

/** Makes the file, readable by nobody else yet. Its name counts as in use until `unfinished.end`. Throws system errors. */
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

/** Dates the file, in milliseconds since the epoch. Node takes a negative number for now, but not a negative date. */
export function setModified(file: FileHandle, modified: number): Promise<void> {
  return file.utimes(Date.now() / 1000, modified < 0 ? new Date(modified) : modified / 1000)
}

/** Gives the file the owner and mode of the one it replaces, or the mode of a new one. */
export async function dress(file: FileHandle, standing: BigIntStats | undefined, newMode: number): Promise<void> {
  if (!standing) return file.chmod(newMode)
  const mode = Number(standing.mode) & KEPT_MODE
  await file.chmod((await keepOwner(file, standing)) ? mode : mode & ~GROUP_MODE)
}

/** Whether the group could be kept; what the old group was allowed must not go to another one. */
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
