import { type BigIntStats, constants } from 'node:fs'
import { link, lstat, open, rename, unlink } from 'node:fs/promises'
import { demandVersion } from '../write-file.ts'
import { errnoOf, translated } from './errno.ts'
import type { NativePath } from './native-path.ts'
import { isSameObject, versionOf } from './stat-fields.ts'

/** Errors of file systems without hard links. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Renames a file, a link or a special file atomically, failing if the new name exists.
 * @param how `public`: others may give the old name to another object at any time, which then keeps it
 * @throws exists
 */
export async function renameNew(from: NativePath, to: NativePath, how: { public?: boolean } = {}): Promise<void> {
  try {
    await link(from, to)
  } catch (thrown) {
    if (WITHOUT_LINKS.has(errnoOf(thrown))) return renameOntoPlaceholder(from, to)
    throw translated(thrown)
  }
  try {
    if (!how.public || (await isOneObject(from, to))) await unlink(from)
  } catch (thrown) {
    await unlink(to)
    throw translated(thrown)
  }
}

async function isOneObject(one: NativePath, other: NativePath): Promise<boolean> {
  const [a, b] = await Promise.all([lstat(one, { bigint: true }), lstat(other, { bigint: true })])
  return isSameObject(a, b)
}

/**
 * Without hard links: claims the new name with an empty file, then renames over it.
 * @throws exists
 */
export async function renameOntoPlaceholder(from: NativePath, to: NativePath): Promise<void> {
  try {
    const claimed = await claim(to)
    try {
      await rename(from, to)
    } catch (thrown) {
      if (isSameObject(await lstat(to, { bigint: true }), claimed)) await unlink(to)
      throw thrown
    }
  } catch (thrown) {
    throw translated(thrown)
  }
}

async function claim(at: NativePath): Promise<BigIntStats> {
  const placeholder = await open(at, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600)
  try {
    return await placeholder.stat({ bigint: true })
  } finally {
    await placeholder.close()
  }
}

/**
 * Replaces the file at a name, if it still has the version the writer knows.
 * @throws precondition_failed, is_a_folder
 */
export async function renameOver(from: NativePath, to: NativePath, ifMatch: string | undefined): Promise<void> {
  if (ifMatch !== undefined) {
    const there = await lstat(to, { bigint: true }).catch(() => undefined)
    demandVersion(there && versionOf(there), { ifMatch })
  }
  try {
    await rename(from, to)
  } catch (thrown) {
    throw translated(thrown, { EXDEV: 'unavailable' })
  }
}
