import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { ByteRange, OpenFile } from '../driver.ts'
import { ask } from '../guard.ts'
import { demandHeader } from './client.ts'
import { fileKey } from './keys.ts'
import { entryOf, fileFacts } from './object-metadata.ts'
import { headObject, headOf, type ObjectHead, openObject } from './objects.ts'
import { connectionError, unlessMissing } from './s3-errors.ts'
import type { Scope } from './scope.ts'
import { standingAt } from './stat.ts'

/** Bytes that are read on opening; a file that has no more is kept in memory, whatever happens to it later. */
const AT_ONCE = 64 * 1024

/**
 * Opens a file for reading; see the driver contract. A store keeps no object open: replacing one while it is read ends
 * the stream with an error, never with bytes of the other.
 */
export async function openRead(scope: Scope, path: FilePath): Promise<OpenFile> {
  ask(scope.guard, path)
  const key = fileKey(scope.base, path)
  const begun = path === ROOT ? undefined : await begin(scope, key)
  if (!begun) throw new AppError((await standingAt(scope, path)) ? 'is_a_folder' : 'not_found')
  const { head, start } = begun
  const entry = entryOf(path, fileFacts(head))
  return {
    entry,
    stream: (range = { start: 0, end: entry.size - 1 }) => {
      if (range.end < range.start) return Readable.from([])
      if (range.end < start.length) return Readable.from([start.subarray(range.start, range.end + 1)])
      return Readable.from(bytesOf(scope, key, head.etag, range), { objectMode: false })
    },
    ...(scope.presigned && { address: headers => addressOf(scope, key, headers) }),
    close: async () => {},
  }
}

/** Validity of a presigned URL in seconds. */
const ADDRESS_LASTS = 300

function addressOf({ client }: Scope, key: string, headers: Readonly<Record<string, string>>): string {
  const wanted = Object.entries(headers).filter(([name]) => /^content-(?:type|disposition)$/i.test(name))
  const query = wanted.map(([name, value]) => [`response-${name.toLowerCase()}`, value])
  return client.presign(key, Object.fromEntries(query), ADDRESS_LASTS)
}

/** The file as it is now, and its first bytes. */
async function begin(scope: Scope, key: string): Promise<{ head: ObjectHead; start: Buffer } | undefined> {
  const answer = await scope.client
    .ask({ method: 'GET', key, headers: { range: `bytes=0-${AT_ONCE - 1}` } })
    .catch(emptyOrMissing)
  if (answer === 'missing') return undefined
  if (answer === 'empty') {
    const head = await unlessMissing(headObject(scope.client, key))
    return head && { head, start: Buffer.alloc(0) }
  }
  const total = /\/(\d+)$/.exec(String(answer.headers['content-range'] ?? ''))?.[1]
  const size = Number(total ?? demandHeader(answer.headers, 'content-length'))
  return { head: headOf(answer.headers, size), start: answer.body }
}

function emptyOrMissing(thrown: unknown): 'empty' | 'missing' {
  const { code } = asAppError(thrown)
  if (code === 'range_not_satisfiable') return 'empty'
  if (code === 'not_found') return 'missing'
  throw thrown
}

/** Consecutive retries that yield no byte. */
const ATTEMPTS = 3

/** The bytes of a range; the rest is requested again when the connection breaks off. */
async function* bytesOf(scope: Scope, key: string, etag: string, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  let at = start
  for (let attempt = 1; at <= end; attempt++) {
    const before = at
    const answer = await openRange(scope, key, etag, { start: at, end })
    try {
      for await (const piece of answer) {
        at += (piece as Buffer).length
        yield piece as Buffer
      }
    } catch (thrown) {
      if (at === before && attempt >= ATTEMPTS) throw connectionError(thrown)
    } finally {
      answer.destroy()
    }
  }
}

/** @throws unavailable when the object was replaced */
async function openRange(scope: Scope, key: string, etag: string, { start, end }: ByteRange): Promise<IncomingMessage> {
  try {
    return await openObject(scope.client, key, etag, `bytes=${start}-${end}`)
  } catch (thrown) {
    const { code } = asAppError(thrown)
    if (code !== 'precondition_failed' && code !== 'not_found') throw thrown
    throw new AppError('unavailable', 'the file was replaced while it was read', { cause: thrown })
  }
}

/** The whole of an object, in chunks. */
export function wholeObject(scope: Scope, key: string, { size, etag }: Pick<ObjectHead, 'size' | 'etag'>) {
  return bytesOf(scope, key, etag, { start: 0, end: size - 1 })
}

export const readWhole = async ({ client }: Pick<Scope, 'client'>, key: string): Promise<Buffer> =>
  buffer(await client.open({ method: 'GET', key }))
