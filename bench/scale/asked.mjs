import { setTimeout as pause } from 'node:timers/promises'
import { S3Client } from '../../server/storage/s3/client.ts'
import { openS3 } from '../../server/storage/s3.ts'
import { parsePath } from '../../shared/path.ts'

/** Milliseconds until a write is old enough to be cached, and a margin. */
const SETTLED = 11_000

/**
 * Requests that listings of folders make to an object store, the first time and later.
 * @returns {Promise<Record<string, number>>}
 */
export async function askedOfStore({ address, credentials }, { folders }) {
  const { ask } = S3Client.prototype
  let requests = 0
  S3Client.prototype.ask = function (...given) {
    requests += 1
    return ask.apply(this, given)
  }
  const store = await openS3({ address, credentials })
  const counted = async path => {
    requests = 0
    for await (const _ of store.list(parsePath(path)));
    return requests
  }
  await pause(SETTLED)
  const asked = {}
  try {
    for (const count of folders) {
      asked[`folder of ${count}, the first time`] = await counted(`/f${count}`)
      asked[`folder of ${count}, later`] = await counted(`/f${count}`)
    }
    await counted('/')
    asked[`folder of ${folders.length} folders and a file, later`] = await counted('/')
  } finally {
    S3Client.prototype.ask = ask
  }
  return asked
}
