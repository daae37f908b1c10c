import { lstat } from 'node:fs/promises'
import { type FilePath, nameOf, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Entry } from '../driver.ts'
import { errnoOf, translated } from './errno.ts'
import { below, type Handle } from './handle.ts'
import { isOurs, locate, locateItem, type Scope } from './resolve-path.ts'
import { factsOf } from './stat-fields.ts'

/** Describes a path; see the driver contract. */
export async function statPath(scope: Scope, path: FilePath): Promise<Entry | undefined> {
  if (isOurs(scope, path)) return undefined
  try {
    const { handle, canonical, rest } = await locate(scope, path)
    handle.close()
    if (rest.length > 0) return undefined
    return entryOf(path, canonical, handle, await isLinkAt(scope, path, canonical))
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    if (thrown.code === 'not_found') return undefined
    if (thrown.code !== 'outside_scope' || path === ROOT) throw thrown
    return linkAsItem(scope, path, thrown)
  }
}

export function entryOf(path: FilePath, canonical: FilePath, handle: Pick<Handle, 'stat'>, isLink: boolean): Entry {
  return { name: nameOf(path), path, canonical, isLink, ...factsOf(handle.stat) }
}

/**
 * A path equal to its canonical path followed no link, so only other paths need a second stat; but objects behind a
 * link out have no canonical path of their own.
 */
export async function isLinkAt(scope: Scope, path: FilePath, canonical: FilePath): Promise<boolean> {
  if (path === canonical && !scope.followsOut) return false
  const item = await locateItem(scope, path).catch(() => undefined)
  if (!item) return false
  try {
    return (await lstat(below(item.folder, item.name))).isSymbolicLink()
  } catch {
    return false
  } finally {
    item.folder.close()
  }
}

/** A link that leads out of the scope or nowhere can be listed and removed, but not followed. */
async function linkAsItem(scope: Scope, path: FilePath, refusal: AppError): Promise<Entry | undefined> {
  const { folder, name, canonical } = await locateItem(scope, path)
  try {
    const stat = await lstat(below(folder, name), { bigint: true })
    if (!stat.isSymbolicLink()) throw refusal
    return entryOf(path, canonical, { stat }, true)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw translated(thrown)
  } finally {
    folder.close()
  }
}
