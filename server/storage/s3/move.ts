import { type FilePath, isWithin, parentOf, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { MoveOptions } from '../driver.ts'
import { ask } from '../guard.ts'
import { fileKey, folderKey } from './keys.ts'
import { headObject, removeObject } from './objects.ts'
import { keepFolder } from './publish.ts'
import { checkTree, removeTree } from './remove.ts'
import type { Scope } from './scope.ts'
import { demandFolder, type Standing, standingAt } from './stat.ts'
import { changed, copyAlong, copyTree, removeCopied } from './transfer.ts'

/**
 * Moves an object or folder: everything is copied, the copies are compared with the source's current state, and only
 * then is the source removed. A target with the same identity is left from an interrupted move, which is resumed; so
 * nothing is lost at any point of failure.
 * @throws not_found, exists, bad_request (a folder into itself), unavailable (it was changed during the move)
 */
export async function movePath(scope: Scope, from: FilePath, to: FilePath, how: MoveOptions = {}): Promise<void> {
  if (how.over) throw new AppError('unsupported', 'a bucket renames nothing')
  if (from === ROOT) throw new AppError('forbidden')
  if (to === ROOT) throw new AppError('exists')
  for (const path of [from, to]) ask(scope.guard, path)
  const source = await standingAt(scope, from)
  if (!source) throw new AppError('not_found')
  await demandParent(scope, to)
  const begun = await demandFree(scope, source, from, to)
  if (source.kind === 'file') await moveFile(scope, source, { from, to })
  else await moveFolder(scope, source, { from, to, begun }, how)
}

async function demandParent(scope: Scope, path: FilePath): Promise<void> {
  try {
    await demandFolder(scope, parentOf(path))
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_a_folder') throw new AppError('not_found')
    throw thrown
  }
}

/** @returns whether an earlier attempt has started */
async function demandFree(scope: Scope, source: Standing, from: FilePath, to: FilePath): Promise<boolean> {
  const there = await standingAt(scope, to)
  const isSame = there?.kind === source.kind && there.facts.identity === source.facts.identity
  if (there && (from === to || !isSame)) throw new AppError('exists')
  if (source.kind === 'folder' && isWithin(to, from)) {
    throw new AppError('bad_request', 'a folder cannot be moved into itself')
  }
  return there !== undefined
}

interface Paths {
  from: FilePath
  to: FilePath
}

async function moveFile(scope: Scope, source: Standing & { kind: 'file' }, { from, to }: Paths): Promise<void> {
  const key = fileKey(scope.base, to)
  await copyAlong(scope, { key: source.key }, key)
  await keepFolder(scope, parentOf(from))
  await scope.locks.run(source.key, async () => {
    const now = await headObject(scope.client, source.key)
    if (now.etag !== source.head.etag) throw changed()
    await removeObject(scope.client, source.key)
  })
}

async function moveFolder(
  scope: Scope,
  source: Standing,
  { from, to, begun }: Paths & { begun: boolean },
  how: MoveOptions,
): Promise<void> {
  await checkTree(scope, from)
  await checkTree(scope, from, to)
  const way = { from: folderKey(scope.base, from), to: folderKey(scope.base, to) }
  try {
    await copyTree(scope, way, source.facts, { ...how, begun })
  } catch (thrown) {
    // A move that was not resumed is rolled back; the source is whole.
    if (!begun) await removeTree({ ...scope, guard: undefined }, to)
    throw thrown
  }
  await keepFolder(scope, parentOf(from))
  if (!(await removeCopied(scope, way))) throw changed()
}
