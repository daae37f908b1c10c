import { type FilePath, joinPath, ROOT } from '../../../../shared/path.ts'
import type { KeepReplaced, KeptAt, KeptNote } from '../../driver.ts'
import { copiedMeta, entryOf, type Facts, newMeta } from '../object-metadata.ts'
import { COPY_AT_ONCE, copyObject, putObject, removeVersions } from '../objects.ts'
import { unlessMissing } from '../s3-errors.ts'
import type { Scope } from '../scope.ts'
import type { Standing } from '../stat.ts'
import { demandArea, listKey, versionKey } from './area.ts'
import { purgedOf } from './purge.ts'
import { erase, isVersioned, versionsOf } from './versioning.ts'

/** Marks an object that names a version of another one, instead of being a copy. */
export const POINTER = 'x-amz-meta-filigree-version'

/** What such an object contains. */
export interface Pointer {
  key: string
  version: string
  facts: Facts
}

/** What is written about a former content. */
export type ListedVersion = KeptNote & { place: FilePath }

/**
 * Keeps a file that is about to be replaced: the bucket's own version of it, or a copy.
 * @param made identity of the file that replaces it
 * @returns takes it back; nothing where the file cannot be kept
 * @throws precondition_failed or not_found when it is not at its key any more, and what `kept` throws
 */
export async function keepReplaced(
  scope: Scope,
  path: FilePath,
  standing: Standing & { kind: 'file' },
  { keep, made }: { keep: KeepReplaced; made: string },
): Promise<(() => Promise<void>) | undefined> {
  const { facts } = standing
  const at: KeptAt = { home: ROOT, area: await demandArea(scope), name: keep.id, kind: 'version' }
  const place = joinPath(scope.rootPath, path)
  if (!(await keepContent(scope, keep.id, standing))) {
    keep.unkept?.()
    return undefined
  }
  // Never the content itself: another writer may have kept it, too.
  const undo = () => forget(scope, keep.id)
  const note: ListedVersion = { id: keep.id, username: keep.username, deletedAt: Date.now(), place }
  const list = putObject(scope.client, listKey(scope, keep.id), Buffer.from(JSON.stringify(note)), {})
  const record = keep.kept({ at, was: entryOf(path, facts), place, identity: facts.identity, made })
  const failed = (await Promise.allSettled([list, record])).find(end => end.status === 'rejected')
  if (!failed) return undo
  await undo().catch(() => {})
  throw failed.reason
}

/** @returns whether the content of a file can be kept */
async function keepContent(
  scope: Scope,
  id: string,
  { key, head, facts }: Standing & { kind: 'file' },
): Promise<boolean> {
  const { client } = scope
  const to = versionKey(scope, id)
  const version = head.headers['x-amz-version-id']
  // Objects of before a bucket had versions share an id that a bucket without them uses, too.
  if (typeof version === 'string' && (await isVersioned(scope, { fresh: version === 'null' }))) {
    const pointer: Pointer = { key, version, facts }
    await putObject(client, to, Buffer.from(JSON.stringify(pointer)), { [POINTER]: '1' })
    return true
  }
  if (head.size > COPY_AT_ONCE) return false
  await copyObject(client, { key, head }, to, copiedMeta(head, newMeta(facts.modified, facts.identity)), undefined)
  return true
}

/** Removes a former content for good; never the current one of a file. Idempotent. */
export async function dropVersion(scope: Scope, id: string): Promise<void> {
  const pointer = await readPointer(scope, id)
  if (pointer)
    await removeVersions(scope.client, purgedOf(await versionsOf(scope.client, pointer.key), pointer.version))
  await forget(scope, id)
}

async function forget(scope: Scope, id: string): Promise<void> {
  await erase(scope, versionKey(scope, id))
  await erase(scope, listKey(scope, id))
}

/** What names the version of a former content; nothing where it is a copy, or missing. */
export async function readPointer({ client, ...scope }: Scope, id: string): Promise<Pointer | undefined> {
  const key = versionKey(scope, id)
  const head = await unlessMissing(client.ask({ method: 'HEAD', key }))
  if (head?.headers[POINTER] === undefined) return undefined
  return JSON.parse((await client.ask({ method: 'GET', key })).body.toString()) as Pointer
}
