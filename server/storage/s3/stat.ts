import { type FilePath, parentOf, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Entry } from '../driver.ts'
import { ask } from '../guard.ts'
import { fileKey, folderKey } from './keys.ts'
import { entryOf, type Facts, fileFacts, folderFacts } from './object-metadata.ts'
import { headObject, listPage, type ObjectHead } from './objects.ts'
import { unlessMissing } from './s3-errors.ts'
import type { Scope } from './scope.ts'

/**
 * The object at a path. Where foreign objects form a file and a folder of one name, the folder takes precedence: it
 * contains more.
 */
export type Standing = { facts: Facts } & ({ kind: 'file'; key: string; head: ObjectHead } | { kind: 'folder' })

export async function standingAt(scope: Scope, path: FilePath): Promise<Standing | undefined> {
  if (path === ROOT) return folderAt(scope, path, scope.base !== '')
  const key = fileKey(scope.base, path)
  const [folder, head] = await Promise.all([folderBegins(scope, path), unlessMissing(headObject(scope.client, key))])
  if (folder) return folderAt(scope, path, folder.hasMarker)
  return head && { kind: 'file', key, head, facts: fileFacts(head) }
}

/** Whether there is such a folder, and whether it has a marker. */
async function folderBegins(scope: Scope, folder: FilePath): Promise<{ hasMarker: boolean } | undefined> {
  const prefix = folderKey(scope.base, folder)
  const { objects } = await listPage(scope.client, prefix, { most: 1 })
  return objects[0] && { hasMarker: objects[0].key === prefix }
}

/** @param hasMarker whether it may have one */
export async function folderAt(
  scope: Scope,
  folder: FilePath,
  hasMarker = true,
): Promise<Standing & { kind: 'folder' }> {
  const key = folderKey(scope.base, folder)
  const marker = hasMarker ? await unlessMissing(headObject(scope.client, key)) : undefined
  return { kind: 'folder', facts: folderFacts(key, marker) }
}

/** Describes a path; see the driver contract. */
export async function statPath(scope: Scope, path: FilePath): Promise<Entry | undefined> {
  ask(scope.guard, path)
  const standing = await standingAt(scope, path).catch(tooLongForAnything)
  return standing && entryOf(path, standing.facts)
}

/** @throws not_found, not_a_folder, forbidden */
export async function demandFolder(scope: Scope, folder: FilePath): Promise<void> {
  ask(scope.guard, folder)
  if (folder === ROOT || (await folderBegins(scope, folder))) return
  const isFile = await unlessMissing(headObject(scope.client, fileKey(scope.base, folder)))
  throw new AppError(isFile ? 'not_a_folder' : 'not_found')
}

/**
 * The missing folders on the way to a path, outermost first, including the path itself.
 * @throws not_a_folder, forbidden for one that may not be made
 */
export async function missingFolders(scope: Scope, path: FilePath): Promise<FilePath[]> {
  const missing: FilePath[] = []
  for (let folder = path; folder !== ROOT && !(await folderBegins(scope, folder)); folder = parentOf(folder)) {
    const isFile = await unlessMissing(headObject(scope.client, fileKey(scope.base, folder)))
    if (isFile) throw new AppError('not_a_folder')
    missing.unshift(folder)
  }
  for (const folder of missing) ask(scope.guard, folder)
  return missing
}

/** Nothing can exist at a path that is too long for a key. */
function tooLongForAnything(thrown: unknown): undefined {
  if (!(thrown instanceof AppError) || thrown.code !== 'name_too_long') throw thrown
}
