import { AppError } from '../../errors.ts'
import { CACHED_NAME, type CachedFile, type CacheStore } from '../cache-store.ts'
import { parseS3Address, type S3Credentials } from './address.ts'
import { S3Client } from './client.ts'
import { cannotUse, isLasting } from './config-errors.ts'
import { listAll, listPage, putObject, removeObjects } from './objects.ts'
import type { ListedObject } from './page.ts'
import { unlessMissing } from './s3-errors.ts'

export interface CacheOptions {
  /** `s3://bucket/prefix?endpoint=…&region=…` */
  address: string
  credentials: S3Credentials
}

/** Milliseconds without a byte after which making the file again is quicker. */
const PATIENCE = 3000
/** Milliseconds for which a failing store is not tried again, so that requests do not wait for it. */
const REST = 30_000

/**
 * A cache store in a part of a bucket, with one request per file. A store that is unavailable at the start may become
 * available later.
 * @throws AppError with a message for the console when the bucket can never be used
 */
export async function openCacheS3({ address, credentials }: CacheOptions): Promise<CacheStore> {
  const parsed = parseS3Address(address)
  const client = new S3Client(parsed, credentials)
  try {
    await listPage(client, parsed.prefix, { most: 1 })
  } catch (thrown) {
    if (isLasting(thrown)) throw cannotUse(address, thrown, '--previewDir')
  }
  return cacheBelow(client, parsed.prefix)
}

function cacheBelow(client: S3Client, base: string): CacheStore {
  const trying = pausedAfterFailures()
  return {
    read: name => trying(() => unlessMissing(readObject(client, base + name))),
    write: (name, bytes) => trying(async () => void (await putObject(client, base + name, bytes, {}))),
    async *list() {
      for await (const { objects } of listAll(client, base, true))
        yield objects.flatMap(object => cacheAt(object, base))
    },
    remove: names =>
      removeObjects(
        client,
        names.map(name => base + name),
      ),
  }
}

async function readObject(client: S3Client, key: string) {
  const { body, headers } = await client.ask({ method: 'GET', key, patience: PATIENCE })
  return { bytes: body, written: Date.parse(headers['last-modified'] ?? '') }
}

function cacheAt({ key, size, changed }: ListedObject, base: string): CachedFile[] {
  const name = key.slice(base.length)
  return CACHED_NAME.test(name) ? [{ name, size, written: Date.parse(changed) }] : []
}

function pausedAfterFailures() {
  let pausedUntil = 0
  return async <T>(act: () => Promise<T>): Promise<T> => {
    if (Date.now() < pausedUntil) throw new AppError('unavailable')
    try {
      return await act()
    } catch (thrown) {
      pausedUntil = Date.now() + REST
      throw thrown
    }
  }
}
