import { type FilePath, parentOf, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { RemoveOptions } from '../driver.ts'
import { ask } from '../guard.ts'
import { demandStill } from '../same-object.ts'
import { refuseAborted } from '../write-file.ts'
import { folderKey, pathsIn } from './keys.ts'
import { entryOf } from './object-metadata.ts'
import { listAll, listPage, removeObject, removeObjects } from './objects.ts'
import { outOf } from './publish.ts'
import type { Scope } from './scope.ts'
import { standingAt } from './stat.ts'

/** Removes a file or a tree; see the driver contract. */
export async function removePath(scope: Scope, path: FilePath, how: RemoveOptions = {}): Promise<void> {
  if (path === ROOT) throw new AppError('forbidden')
  ask(scope.guard, path)
  const standing = await standingAt(scope, path)
  if (!standing) throw new AppError('not_found')
  if (how.exactly) {
    demandStill(entryOf(path, standing.facts), how.exactly)
    if (standing.kind === 'folder') await demandEmpty(scope, path)
  }
  if (standing.kind === 'folder') await checkTree(scope, path)
  await outOf(scope, parentOf(path), async () => {
    if (standing.kind === 'folder') return removeTree(scope, path, how)
    await removeObject(scope.client, standing.key)
    how.removed?.(1)
  })
}

/** @throws unavailable */
async function demandEmpty(scope: Scope, folder: FilePath): Promise<void> {
  const marker = folderKey(scope.base, folder)
  const { objects } = await listPage(scope.client, marker, { most: 2 })
  if (objects.some(({ key }) => key !== marker)) throw new AppError('unavailable')
}

/**
 * Asks the guard about every entry of a tree.
 * @param as the path to ask about, where it differs from the tree's current one
 * @throws forbidden
 */
export async function checkTree(scope: Scope, folder: FilePath, as: FilePath = folder): Promise<void> {
  await checkUnder(scope, folderKey(scope.base, folder), as)
}

/** The same for the objects with a prefix. @throws forbidden */
export async function checkUnder(scope: Scope, prefix: string, as: FilePath): Promise<void> {
  if (!scope.guard) return
  for await (const { objects } of listAll(scope.client, prefix)) {
    for (const { key } of objects) checkRest(scope, key.slice(prefix.length), as)
  }
}

/** Asks the guard about an object and the folders above it. @param rest its key relative to a folder @throws forbidden */
export function checkRest({ guard }: Pick<Scope, 'guard'>, rest: string, folder: FilePath): void {
  for (const path of (rest !== '' && pathsIn(folder, rest)) || []) ask(guard, path)
}

/** Removes a folder with all its content, including foreign keys that no path can name. */
export async function removeTree(scope: Scope, folder: FilePath, how: RemoveOptions = {}): Promise<void> {
  const marker = folderKey(scope.base, folder)
  for await (const { objects } of listAll(scope.client, marker)) {
    refuseAborted(how.signal)
    const keys = objects.map(({ key }) => key).filter(key => key !== marker)
    await removeObjects(scope.client, keys)
    how.removed?.(keys.length)
  }
  refuseAborted(how.signal)
  await removeObject(scope.client, marker)
  how.removed?.(1)
}
