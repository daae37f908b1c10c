import { AppError } from '../../errors.ts'
import { mapLimit } from '../../lib/limit.ts'
import type { MoveOptions } from '../driver.ts'
import { refuseAborted } from '../write-file.ts'
import { copiedMeta, type Facts, fileFacts, newMeta } from './object-metadata.ts'
import {
  copyObject,
  headObject,
  listAll,
  type ObjectHead,
  type ObjectVersion,
  putObject,
  removeObject,
  removeObjects,
} from './objects.ts'
import type { ListedObject } from './page.ts'
import { unlessMissing } from './s3-errors.ts'
import type { Scope } from './scope.ts'

export const AT_ONCE = 16
/** Maximum number of objects per delete request. */
const TOGETHER = 1000

/** Prefixes of the keys of two folders. */
export interface Way {
  from: string
  to: string
}

/**
 * Copies a folder, and compares the copies with the current state of the source. First comes the marker, by which a later
 * attempt recognizes this one. Copies that exist stay.
 * @param facts of the source
 * @param how `begun`: an earlier attempt made the marker
 * @throws unavailable when the source was changed meanwhile
 */
export async function copyTree(
  scope: Scope,
  { from, to }: Way,
  { modified, identity }: Pick<Facts, 'modified' | 'identity'>,
  { begun = false, signal, moved }: MoveOptions & { begun?: boolean } = {},
): Promise<void> {
  const meta = newMeta(modified, identity)
  const made = putObject(scope.client, to, Buffer.alloc(0), meta, begun ? undefined : { ifAbsent: true })
  await made.catch(thrown => fineIfSame(scope, to, identity, thrown))
  for await (const { objects } of listAll(scope.client, from)) {
    const some = objects.filter(({ key }) => key !== from)
    await mapLimit(some, AT_ONCE, async ({ key, size }) => {
      refuseAborted(signal)
      await copyAlong(scope, { key }, to + key.slice(from.length))
      moved?.({ entries: 1, bytes: size })
    })
  }
  for await (const { ours, copy } of pairsOf(scope, from, to)) if (!copy || !isCopy(ours, copy)) throw changed()
}

/** Copies an object with its metadata and identity; an existing object stays. Does nothing without a source. */
export async function copyAlong(scope: Scope, { key, version }: ObjectVersion, to: string): Promise<void> {
  const { client } = scope
  const head = await unlessMissing(headObject(client, key, version))
  if (!head) return
  const { identity, modified } = fileFacts(head)
  const meta = copiedMeta(head, newMeta(modified, identity))
  await scope.locks.run(to, async () => {
    if (await unlessMissing(headObject(client, to))) return
    const copied = copyObject(client, { key, head, version }, to, meta, { ifAbsent: true })
    await copied.catch(thrown => fineIfSame(scope, to, identity, thrown))
  })
}

/** After a lost response the retry is refused, although the first attempt succeeded. @throws thrown otherwise */
async function fineIfSame({ client }: Scope, key: string, identity: string, thrown: unknown): Promise<void> {
  const there = await unlessMissing(headObject(client, key))
  if (!there || fileFacts(there).identity !== identity) throw thrown
}

/**
 * Removes the objects of a folder that have an identical copy, and finally the folder.
 * @returns whether everything had one: an object that was added or changed meanwhile stays, and the folder with it
 */
export async function removeCopied(scope: Scope, { from, to }: Way): Promise<boolean> {
  let whole = true
  const keys: string[] = []
  for await (const { ours, copy } of pairsOf(scope, from, to)) {
    if (copy && isCopy(ours, copy)) keys.push(ours.key)
    else whole = false
    if (keys.length >= TOGETHER) await removeObjects(scope.client, keys.splice(0))
  }
  await removeObjects(scope.client, keys)
  if (whole) await removeObject(scope.client, from)
  return whole
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

/** Times decide whether the source was changed after it was copied. */
const isCopy = (ours: ListedObject, copy: ListedObject): boolean =>
  isSameCopy(ours, copy) && Date.parse(ours.changed) <= Date.parse(copy.changed)

/** Whether an object may be a copy of another, by what a store reports: the ETag of a multipart copy differs. */
export function isSameCopy(one: Pick<ObjectHead, 'etag' | 'size'>, copy: Pick<ObjectHead, 'etag' | 'size'>): boolean {
  const isSame = one.etag === copy.etag || one.etag.includes('-') || copy.etag.includes('-')
  return isSame && one.size === copy.size
}

async function* objectsOf(scope: Scope, prefix: string): AsyncGenerator<ListedObject> {
  for await (const { objects } of listAll(scope.client, prefix)) yield* objects
}

export const changed = () => new AppError('unavailable', 'it was changed during the move, and stays at its old path')
