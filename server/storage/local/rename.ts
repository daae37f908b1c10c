import { type BigIntStats, constants } from 'node:fs'
import { link, lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises'
import { demandVersion } from '../write-file.ts'
import { errnoOf, translated } from './errno.ts'
import { below } from './handle.ts'
import type { Kernel, NameAt } from './kernel/kernel.ts'
import { answersAtOnce } from './mounts.ts'
import type { NativePath } from './native-path.ts'
import type { Item, Scope } from './resolve-path.ts'
import { isSameObject, versionOf } from './stat-fields.ts'

/** Errors of file systems without hard links. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Errors of file systems that cannot refuse a taken name in a rename. */
const WITHOUT_REFUSAL = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** A name in a held folder. */
export type Spot = Pick<Item, 'folder' | 'name'>
type Calling = Pick<Scope, 'kernel'>

/** Two names for direct calls, which block; `undefined` where a disk may have to be waited for. */
export function directly(
  { kernel }: Calling,
  one: Spot,
  other: Spot,
): { kernel: Kernel; from: NameAt; to: NameAt } | undefined {
  const [from, to] = [one.folder.descriptor, other.folder.descriptor]
  if (!kernel || from === undefined || to === undefined) return undefined
  if (![one, other].every(({ folder }) => answersAtOnce(folder.real))) return undefined
  return { kernel, from: { folder: from, name: one.name }, to: { folder: to, name: other.name } }
}

/**
 * Renames a file, a link or a special file atomically, failing if the new name exists.
 * @param how `public`: others may give the old name to another object at any time, which then keeps it
 * @throws exists
 */
export async function renameNew(scope: Calling, one: Spot, other: Spot, how: { public?: boolean } = {}): Promise<void> {
  if (renamedAtOnce(scope, one, other)) return
  const [from, to] = [below(one.folder, one.name), below(other.folder, other.name)]
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

/**
 * Renames a folder, failing if the new name exists. Without a call for it the name is claimed by an empty folder, which
 * only a rename of a folder can replace.
 * @throws exists
 */
export async function renameFolderNew(scope: Calling, one: Spot, other: Spot): Promise<void> {
  if (renamedAtOnce(scope, one, other)) return
  const to = below(other.folder, other.name)
  try {
    await mkdir(to, 0o700)
    await rename(below(one.folder, one.name), to).catch(async (thrown: unknown) => {
      await rmdir(to).catch(() => {})
      throw thrown
    })
  } catch (thrown) {
    throw translated(thrown, TAKEN)
  }
}

/** Errors of a rename over an object that has come to the claimed name. */
export const TAKEN = { ENOTEMPTY: 'exists', ENOTDIR: 'exists' } as const

/** @returns whether the object was renamed; otherwise nothing changed @throws exists */
function renamedAtOnce(scope: Calling, one: Spot, other: Spot): boolean {
  const names = directly(scope, one, other)
  try {
    names?.kernel.renameNew(names.from, names.to)
    return names !== undefined
  } catch (thrown) {
    if (WITHOUT_REFUSAL.has(errnoOf(thrown))) return false
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
