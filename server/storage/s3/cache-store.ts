import { AppError } from '../../errors.ts'
import { SPARE_NAME, type SpareFile, type SpareFiles } from '../cache-store.ts'
import { parseS3Address, type S3Credentials } from './address.ts'
import { S3Client } from './client.ts'
import { cannotUse, isLasting } from './config-errors.ts'
import { type ListedObject, listAll, listPage, putObject, removeObjects } from './objects.ts'
import { unlessMissing } from './s3-errors.ts'

export interface SpareOptions {
  /** `s3://bucket/prefix?endpoint=…&region=…` */
  address: string
  credentials: S3Credentials
}

/** Milliseconds without a byte after which it is quicker to make the thing anew. */
const PATIENCE = 3000
/** Milliseconds for which a store that failed is left alone, so that not everybody waits for it. */
const REST = 30_000

/**
 * Keeps what can be made anew in a part of a bucket, one request for each. A store that is away at the start may come later.
 * @throws AppError with a sentence for the console when the bucket can never be used
 */
export async function openSpareS3({ address, credentials }: SpareOptions): Promise<SpareFiles> {
  const parsed = parseS3Address(address)
  const client = new S3Client(parsed, credentials)
  try {
    await listPage(client, parsed.prefix, { most: 1 })
  } catch (thrown) {
    if (isLasting(thrown)) throw cannotUse(address, thrown, '--previewDir')
  }
  return spareBelow(client, parsed.prefix)
}

function spareBelow(client: S3Client, base: string): SpareFiles {
  const trying = restingAfterFailures()
  return {
    read: name => trying(() => unlessMissing(readObject(client, base + name))),
    write: (name, bytes) => trying(async () => void (await putObject(client, base + name, bytes, {}))),
    async *list() {
      for await (const { objects } of listAll(client, base, true))
        yield objects.flatMap(object => spareAt(object, base))
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

function spareAt({ key, size, changed }: ListedObject, base: string): SpareFile[] {
  const name = key.slice(base.length)
  return SPARE_NAME.test(name) ? [{ name, size, written: Date.parse(changed) }] : []
}

function restingAfterFailures() {
  let restsUntil = 0
  return async <T>(act: () => Promise<T>): Promise<T> => {
    if (Date.now() < restsUntil) throw new AppError('unavailable')
    try {
      return await act()
    } catch (thrown) {
      restsUntil = Date.now() + REST
      throw thrown
    }
  }
}
