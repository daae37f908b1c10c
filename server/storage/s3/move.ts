import { type FilePath, isWithin, parentOf, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { mapLimit } from '../../lib/limit.ts'
import type { MoveOptions } from '../driver.ts'
import { ask } from '../guard.ts'
import { refuseAborted } from '../write-file.ts'
import { fileKey, folderKey } from './keys.ts'
import { copiedMeta, fileFacts, newMeta } from './object-metadata.ts'
import {
  copyObject,
  headObject,
  type ListedObject,
  listAll,
  putObject,
  removeObject,
  removeObjects,
} from './objects.ts'
import { keepFolder } from './publish.ts'
import { checkTree, removeTree } from './remove.ts'
import { unlessMissing } from './s3-errors.ts'
import type { Scope } from './scope.ts'
import { demandFolder, type Standing, standingAt } from './stat.ts'

const AT_ONCE = 16
/** Maximum number of objects per delete request. */
const TOGETHER = 1000

/**
 * Moves an object or folder: everything is copied, the copies are compared with the source's current state, and only
 * then is the source removed. A target with the same identity is left from an interrupted move, which is resumed; so
 * nothing is lost at any point of failure.
 * @throws not_found, exists, bad_request (a folder into itself), unavailable (it was changed during the move)
 */
export async function movePath(scope: Scope, from: FilePath, to: FilePath, how: MoveOptions = {}): Promise<void> {
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

interface Way {
  from: FilePath
  to: FilePath
}

async function moveFile(scope: Scope, source: Standing & { kind: 'file' }, { from, to }: Way): Promise<void> {
  const key = fileKey(scope.base, to)
  await moveObject(scope, source.key, key)
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
  { from, to, begun }: Way & { begun: boolean },
  { signal, moved }: MoveOptions,
): Promise<void> {
  await checkTree(scope, from)
  await checkTree(scope, from, to)
  const [old, now] = [folderKey(scope.base, from), folderKey(scope.base, to)]
  // First the marker by which a later attempt recognizes this one.
  const { modified, identity } = source.facts
  await putObject(
    scope.client,
    now,
    Buffer.alloc(0),
    newMeta(modified, identity),
    begun ? undefined : { ifAbsent: true },
  )
  try {
    for await (const { objects } of listAll(scope.client, old)) {
      const some = objects.filter(({ key }) => key !== old)
      await mapLimit(some, AT_ONCE, async ({ key, size }) => {
        refuseAborted(signal)
        await moveObject(scope, key, now + key.slice(old.length))
        moved?.({ entries: 1, bytes: size })
      })
    }
    await demandCopied(scope, old, now)
  } catch (thrown) {
    // A move that was not resumed is rolled back; the source is whole.
    if (!begun) await removeTree({ ...scope, guard: undefined }, to)
    throw thrown
  }
  await keepFolder(scope, parentOf(from))
  await removeCopied(scope, old, now)
}

/** Copies an object with its metadata; an existing copy stays. */
async function moveObject(scope: Scope, from: string, to: string): Promise<void> {
  const { client } = scope
  const head = await unlessMissing(headObject(client, from))
  if (!head) return
  const { identity, modified } = fileFacts(head)
  const meta = copiedMeta(head, newMeta(modified, identity))
  await scope.locks.run(to, async () => {
    if (await unlessMissing(headObject(client, to))) return
    await copyObject(client, { key: from, head }, to, meta, { ifAbsent: true })
  })
}

/**
 * Compares the current content of a folder with its copy.
 * @throws unavailable when an object has no identical copy
 */
async function demandCopied(scope: Scope, from: string, to: string): Promise<void> {
  for await (const { ours, copy } of pairsOf(scope, from, to)) if (!copy || !isCopy(ours, copy)) throw changed()
}

/**
 * Removes the objects of a folder that have an identical copy, and finally the folder.
 * @throws unavailable when an object was added or changed during the move; it stays at the source
 */
async function removeCopied(scope: Scope, from: string, to: string): Promise<void> {
  let kept = false
  const keys: string[] = []
  for await (const { ours, copy } of pairsOf(scope, from, to)) {
    if (copy && isCopy(ours, copy)) keys.push(ours.key)
    else kept = true
    if (keys.length >= TOGETHER) await removeObjects(scope.client, keys.splice(0))
  }
  await removeObjects(scope.client, keys)
  if (kept) throw changed()
  await removeObject(scope.client, from)
}

interface Pair {
  ours: ListedObject
  copy: ListedObject | undefined
}

/** The objects of a folder, with those of the same name in another; the store lists both by the bytes of their keys. */
async function* pairsOf(scope: Scope, from: string, to: string): AsyncGenerator<Pair> {
  const copies = objectsOf(scope, to)
  let copy = await copies.next()
  for await (const ours of objectsOf(scope, from)) {
    if (ours.key === from) continue
    const rest = Buffer.from(ours.key.slice(from.length))
    const order = (other: ListedObject) => Buffer.from(other.key.slice(to.length)).compare(rest)
    while (!copy.done && order(copy.value) < 0) copy = await copies.next()
    yield { ours, copy: !copy.done && order(copy.value) === 0 ? copy.value : undefined }
  }
}

/** The ETag of a multipart copy differs, so times decide whether the source was changed after it was copied. */
function isCopy(ours: ListedObject, copy: ListedObject): boolean {
  const sameContent = ours.etag === copy.etag || ours.etag.includes('-') || copy.etag.includes('-')
  return sameContent && ours.size === copy.size && Date.parse(ours.changed) <= Date.parse(copy.changed)
}

async function* objectsOf(scope: Scope, prefix: string): AsyncGenerator<ListedObject> {
  for await (const { objects } of listAll(scope.client, prefix)) yield* objects
}

const changed = () => new AppError('unavailable', 'it was changed during the move, and stays at its old path')
