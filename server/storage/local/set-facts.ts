import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { errnoOf } from './errno.ts'
import { timeOf } from './stat-fields.ts'

/** Mode bits that a replaced file passes on; never set-user-ID and the like, as with any write by another user. */
const KEPT_MODE = 0o777
const GROUP_MODE = 0o070

/** Sets the modification time, in milliseconds since the epoch. */
export function setModified(file: FileHandle, modified: number): Promise<void> {
  return file.utimes(Date.now() / 1000, timeOf(modified))
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
