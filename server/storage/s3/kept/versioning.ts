import { asAppError } from '../../../errors.ts'
import type { ObjectStore } from '../client.ts'
import {
  keyIn,
  listAll,
  type ObjectVersion,
  REMOVED_AT_ONCE,
  removeObject,
  removeObjects,
  removeVersions,
  unquoted,
} from '../objects.ts'
import type { Scope } from '../scope.ts'
import { textIn } from '../xml.ts'

/** Milliseconds for which the answer of a bucket is believed. */
const BELIEVED = 60_000

/** One version of an object, or a marker that hides it, as a listing reports it. */
export interface VersionListed extends Required<ObjectVersion> {
  isMarker: boolean
  size: number
  etag: string
  /** As the store writes it. */
  changed: string
}

/**
 * Whether a bucket keeps the versions of its objects. A store that does not say counts as one that does not.
 * @param how `fresh`: whether an answer of before does not do
 */
export async function isVersioned({ client, kept }: Scope, { fresh = false } = {}): Promise<boolean> {
  const known = kept.versioning
  if (known && !fresh && known.at > Date.now() - BELIEVED) return known.isOn
  const isOn = await askVersioning(client)
  kept.versioning = { isOn, at: Date.now() }
  return isOn
}

async function askVersioning(client: ObjectStore): Promise<boolean> {
  try {
    const { body } = await client.ask({ method: 'GET', query: { versioning: '' } })
    if (textIn(body.toString(), 'Status') !== 'Enabled') return false
    // A server that may not list versions copies, as if there were none.
    await client.ask({ method: 'GET', query: { versions: '', 'max-keys': '1' } })
    return true
  } catch (thrown) {
    const { cause } = asAppError(thrown)
    const isRefused = cause instanceof Error && 'status' in cause && Number(cause.status) < 500
    if (isRefused) return false
    throw thrown
  }
}

/** The versions of each object with a prefix, by key; the newest of an object first. */
export async function* versionsUnder(client: ObjectStore, prefix: string): AsyncGenerator<VersionListed[]> {
  let same: VersionListed[] = []
  for await (const version of eachVersion(client, prefix)) {
    if (same[0] && same[0].key !== version.key) {
      yield same
      same = []
    }
    same.push(version)
  }
  if (same.length > 0) yield same
}

/** The versions of one object, the newest first. */
export async function versionsOf(client: ObjectStore, key: string): Promise<VersionListed[]> {
  for await (const versions of versionsUnder(client, key)) return versions[0]?.key === key ? versions : []
  return []
}

type Next = Record<string, string>

async function* eachVersion(client: ObjectStore, prefix: string): AsyncGenerator<VersionListed> {
  for (let next: Next | undefined = {}; next; ) {
    const query: Next = { versions: '', 'encoding-type': 'url', prefix, ...next }
    const xml: string = (await client.ask({ method: 'GET', query })).body.toString()
    for (const [, kind, element = ''] of xml.matchAll(/<(Version|DeleteMarker)>([\s\S]*?)<\/\1>/g)) {
      yield {
        key: keyIn(element, 'Key'),
        version: textIn(element, 'VersionId'),
        isMarker: kind === 'DeleteMarker',
        size: Number(textIn(element, 'Size') || 0),
        etag: unquoted(textIn(element, 'ETag')),
        changed: textIn(element, 'LastModified'),
      }
    }
    const after = { 'key-marker': keyIn(xml, 'NextKeyMarker'), 'version-id-marker': textIn(xml, 'NextVersionIdMarker') }
    next = textIn(xml, 'IsTruncated') === 'true' ? after : undefined
  }
}

/** Removes one of our own objects; in a versioned bucket all its versions. */
export async function erase(scope: Scope, key: string): Promise<void> {
  if (!(await isVersioned(scope))) return removeObject(scope.client, key)
  await removeVersions(scope.client, await versionsOf(scope.client, key))
}

/** Removes all our own objects with a prefix. */
export async function eraseUnder(scope: Scope, prefix: string): Promise<void> {
  const { client } = scope
  if (!(await isVersioned(scope))) {
    for await (const { objects } of listAll(client, prefix)) {
      await removeObjects(
        client,
        objects.map(({ key }) => key),
      )
    }
    return
  }
  const some: VersionListed[] = []
  for await (const versions of versionsUnder(client, prefix)) {
    some.push(...versions)
    if (some.length >= REMOVED_AT_ONCE) await removeVersions(client, some.splice(0))
  }
  await removeVersions(client, some)
}
