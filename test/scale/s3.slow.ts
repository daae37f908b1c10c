import { randomBytes } from 'node:crypto'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { policyFor } from '../../server/files/policy.ts'
import { usageOf } from '../../server/files/sizes.ts'
import { ACTOR } from '../../server/search-index/test-same.ts'
import {
  add,
  begin,
  body,
  bytesAt,
  listed,
  namesIn,
  p,
  publish,
  put,
  refusal,
  textAt,
} from '../../server/storage/conformance/place.ts'
import { conformance } from '../../server/storage/conformance.ts'
import type { StorageDriver } from '../../server/storage/driver.ts'
import type { S3Client } from '../../server/storage/s3/client.ts'
import { newMeta } from '../../server/storage/s3/object-metadata.ts'
import { beginParts, completeParts, listAll, type Part, putObject } from '../../server/storage/s3/objects.ts'
import { openS3 } from '../../server/storage/s3.ts'
import { size } from '../faults/sizes.ts'
import { startRelay } from './relay.ts'
import { type BucketPlace, bucketPlace, versionedPlace } from './s3-place.ts'
import { hasS3, sharedS3 } from './s3-store.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

const tried = describe.runIf(hasS3)

tried('a driver', () => {
  conformance('a bucket', bucketPlace, { links: false })
  conformance('a bucket with versions', versionedPlace, { links: false })
})

async function place(): Promise<BucketPlace> {
  const made = await bucketPlace()
  onTestFinished(() => made.close())
  return made
}

/** The same store, as another server opens it. */
async function again({ address }: BucketPlace): Promise<StorageDriver> {
  return openS3({ address, credentials: (await sharedS3()).credentials })
}

/** The keys of hidden objects. */
async function hidden({ client, base }: BucketPlace): Promise<string[]> {
  const keys: string[] = []
  for await (const { objects } of listAll(client, `${base}.~fg/`)) keys.push(...objects.map(({ key }) => key))
  return keys
}

tried('what others put into a bucket', () => {
  test('are listed like single items, and keys that no path can name are left out', async () => {
    const { store, client, base } = await place()
    for (const key of ['a', 'a-b', 'a/x', 'b//c', '../d', './e', '/f', 'g/./h', `${'n'.repeat(256)}`, 'folder/sub/']) {
      await putObject(client, base + key, Buffer.from(key), {})
    }
    expect(await namesIn(store)).toEqual(['a', 'a-b', 'b', 'folder', 'g'])
    expect(await namesIn(store, '/a')).toEqual(['x'])
    expect(await namesIn(store, '/b')).toEqual([])
    for (const folder of ['/', '/a', '/folder']) {
      for (const entry of await listed(store, folder)) expect(await store.stat(entry.path)).toEqual(entry)
    }
  })

  test('keeps its folder when the last file in it is deleted, and its type when it is moved', async () => {
    const { store, client, base } = await place()
    await putObject(client, `${base}docs/a.txt`, Buffer.from('a'), { 'content-type': 'text/x-odd' })
    const before = await store.stat(p('/docs/a.txt'))
    await store.move?.(p('/docs/a.txt'), p('/b.txt'))
    expect((await store.stat(p('/b.txt')))?.identity).toBe(before?.identity)
    expect((await client.ask({ method: 'HEAD', key: `${base}b.txt` })).headers['content-type']).toBe('text/x-odd')
    expect(await namesIn(store)).toEqual(['b.txt', 'docs'])
  })
})

tried('a reader', () => {
  test('RACE-04 of a large file that is replaced gets an error, and no byte of the other', async () => {
    const { store } = await place()
    await put(store, '/a.bin', Buffer.alloc(9 * MIB, 'a'))
    const file = await store.read(p('/a.bin'))
    await put(store, '/a.bin', Buffer.alloc(9 * MIB, 'b'))
    expect(await refusal(text(file.stream()))).toBe('unavailable')
    expect(await refusal(text(file.stream({ start: 70_000, end: 70_010 })))).toBe('unavailable')
  })
})

tried('a large file', () => {
  test('is uploaded in parts, whole or not at all', async () => {
    const where = await place()
    const content = randomBytes(20 * MIB + 3)
    const { version } = await put(where.store, '/a.bin', content)
    expect((await bytesAt(where.store, '/a.bin')).equals(content)).toBe(true)
    expect(await refusal(put(where.store, '/a.bin', content, { ifAbsent: true }))).toBe('exists')
    expect(await refusal(put(where.store, '/b.bin', content, { length: content.length + 1 }))).toBe('incomplete_body')
    expect(await namesIn(where.store)).toEqual(['a.bin'])
    expect((await where.store.stat(p('/a.bin')))?.version).toBe(version)
    expect(await hidden(where)).toEqual([])
  })

  test('is created by only one of several servers', async () => {
    const where = await place()
    const stores = await Promise.all(Array.from({ length: 4 }, () => again(where)))
    const put9 = (store: StorageDriver, fill: string) =>
      refusal(put(store, '/a.bin', Buffer.alloc(9 * MIB, fill), { ifAbsent: true }))
    const small = await Promise.all(stores.map((store, n) => refusal(put(store, '/a.txt', `${n}`, { ifAbsent: true }))))
    expect(small.filter(end => end === 'done')).toHaveLength(1)
    const large = await Promise.all(stores.map((store, n) => put9(store, `${n}`)))
    expect(large.filter(end => end === 'done')).toHaveLength(1)
    expect(await hidden(where)).toEqual([])
  })

  test('is copied within the store, and is another file with the same time', async () => {
    const { store } = await place()
    const source = await put(store, '/a.bin', randomBytes(9 * MIB), { modified: 1_000_000_000_123 })
    const made = await store.copy?.(p('/a.bin'), p('/new/b.bin'), { ifAbsent: true })
    expect(await store.stat(p('/new/b.bin'))).toEqual(made)
    expect(made?.modified).toBeCloseTo(source.modified, 2)
    expect(made?.identity).not.toBe(source.identity)
    expect(await refusal(Promise.resolve(store.copy?.(p('/a.bin'), p('/new/b.bin'), { ifAbsent: true })))).toBe(
      'exists',
    )
    expect((await bytesAt(store, '/new/b.bin')).equals(await bytesAt(store, '/a.bin'))).toBe(true)
  })
})

const MUCH = size('COPIED_GIB', 0)

describe.runIf(hasS3 && MUCH > 0)(`a file of ${MUCH} GiB`, () => {
  test('is copied and moved within the store, in parts, and nothing is left of them', async () => {
    const { store, client, base } = await place()
    await put(store, '/a', randomBytes(64 * MIB))
    await grow(client, { from: `${base}a`, to: `${base}b`, times: 16, bytes: 64 * MIB })
    await grow(client, { from: `${base}b`, to: `${base}c`, times: MUCH, bytes: GIB })
    const end = { start: MUCH * GIB - 100, end: MUCH * GIB - 1 }
    const endOf = async (path: string) => (await buffer((await store.read(p(path))).stream(end))).toString('hex')
    const before = await endOf('/c')
    const made = await store.copy?.(p('/c'), p('/d'), { ifAbsent: true })
    expect(made?.size).toBe(MUCH * GIB)
    expect(await endOf('/d')).toBe(before)
    expect(await refusal(Promise.resolve(store.copy?.(p('/c'), p('/d'), { ifAbsent: true })))).toBe('exists')
    await store.remove(p('/c'))
    await store.move?.(p('/d'), p('/e'))
    expect((await store.stat(p('/e')))?.identity).toBe(made?.identity)
    expect(await endOf('/e')).toBe(before)
    expect(await namesIn(store)).toEqual(['a', 'b', 'e'])
    const left = await client.ask({ method: 'GET', query: { uploads: '', prefix: base } })
    expect(left.body.toString()).not.toContain('<UploadId>')
  }, 1_800_000)
})

/** Builds an object from several copies of another one, within the store. */
async function grow(
  client: S3Client,
  { from, to, times, bytes }: { from: string; to: string; times: number; bytes: number },
): Promise<void> {
  const id = await beginParts(client, to, newMeta())
  const parts: Part[] = []
  for (let number = 1; number <= times; number++) {
    const headers = { 'x-amz-copy-source': `/${client.bucket}/${from}` }
    const query = { partNumber: String(number), uploadId: id }
    const { body: answer } = await client.ask({ method: 'PUT', key: to, query, headers, patience: 600_000 })
    parts.push({ number, size: bytes, etag: /&quot;(.+)&quot;/.exec(answer.toString())?.[1] ?? '' })
  }
  await completeParts(client, to, id, parts)
}

tried('an upload in pieces', () => {
  const append = async (store: StorageDriver, staged: string, at: number, content: Buffer) => {
    const kept: number[] = []
    await add(store, staged, at, body(content), { most: content.length, kept })
    return kept
  }

  test('resumes after a restart, from the last durable offset', async () => {
    const where = await place()
    const content = randomBytes(26 * MIB + 5)
    const staged = await begin(where.store, p('/new/a.bin'))
    const kept = await append(where.store, staged, 0, content.subarray(0, 19 * MIB))
    expect(kept).toEqual([19 * MIB])
    const other = await again(where)
    // Its offset is never recorded.
    await append(other, staged, 19 * MIB, content.subarray(19 * MIB, 25 * MIB))
    await append(await again(where), staged, 19 * MIB, content.subarray(19 * MIB))
    await publish(other, staged, p('/new/a.bin'), { length: content.length, ifAbsent: true })
    expect((await bytesAt(where.store, '/new/a.bin')).equals(content)).toBe(true)
    expect(await hidden(where)).toEqual([])
  })

  test('that cannot be published waits, and is checked before', async () => {
    const where = await place()
    const content = randomBytes(9 * MIB)
    const staged = await begin(where.store, p('/a.bin'))
    await append(where.store, staged, 0, content)
    await put(where.store, '/a.bin', 'old')
    const publishAt = (path: string, how = {}) =>
      refusal(publish(where.store, staged, p(path), { length: content.length, ...how }))
    expect(await publishAt('/a.bin', { ifAbsent: true })).toBe('exists')
    expect(await publishAt('/b.bin', { length: content.length + 1 })).toBe('incomplete_body')
    const file = await where.store.resumable.resume(staged, content.length)
    expect((await buffer(file.read())).equals(content)).toBe(true)
    await file.close()
    expect(await publishAt('/b.bin')).toBe('done')
    expect(await textAt(where.store, '/a.bin')).toBe('old')
  })

  test('that is abandoned is cleaned up, and so is a write that was killed', async () => {
    const where = await place()
    const [lost, awaited] = [await begin(where.store, p('/a')), await begin(where.store, p('/b'))]
    await append(where.store, lost, 0, randomBytes(9 * MIB))
    const { body: answer } = await where.client.ask({ method: 'POST', key: `${where.base}c`, query: { uploads: '' } })
    const id = /<UploadId>([^<]+)/.exec(answer.toString())?.[1] ?? ''
    const note = JSON.stringify({ key: `${where.base}c`, id })
    await putObject(where.client, `${where.base}.~fg/parts/0`, Buffer.from(note), {})
    const before = Date.now() + 60_000
    const other = await again(where)
    const sweep = () => other.cleanup?.sweep(`${where.base}.~fg/`, { before, isAwaited: name => name === awaited })
    expect(await sweep()).toBe(1)
    expect(await hidden(where)).toEqual([`${where.base}.~fg/up/${awaited}/open`])
    const left = await where.client.ask({ method: 'GET', query: { uploads: '', prefix: where.base } })
    expect(left.body.toString()).not.toContain('<UploadId>')
  })
})

tried('a move', () => {
  test('that was interrupted resumes, and deletes the source only when everything is copied', async () => {
    const { store, client, base } = await place()
    for (const name of ['a', 'b', 'x/c']) await put(store, `/docs/${name}`, name)
    const { identity = '' } = (await store.stat(p('/docs'))) ?? {}
    await putObject(client, `${base}goal/`, Buffer.alloc(0), newMeta(0, identity))
    await store.move?.(p('/docs'), p('/goal'))
    expect(await namesIn(store)).toEqual(['goal'])
    expect(await textAt(store, '/goal/x/c')).toBe('x/c')
  })

  test('onto another file loses neither', async () => {
    const { store, client, base } = await place()
    await put(store, '/docs/a', 'ours')
    const { identity = '' } = (await store.stat(p('/docs'))) ?? {}
    await putObject(client, `${base}goal/`, Buffer.alloc(0), newMeta(0, identity))
    await put(store, '/goal/a', 'theirs')
    expect(await refusal(Promise.resolve(store.move?.(p('/docs'), p('/goal'))))).toBe('unavailable')
    expect([await textAt(store, '/docs/a'), await textAt(store, '/goal/a')]).toEqual(['ours', 'theirs'])
  })

  test('that is aborted deletes its copies', async () => {
    const { store } = await place()
    await Promise.all(Array.from({ length: 60 }, (_, n) => put(store, `/docs/${n}`, `${n}`)))
    const giving = new AbortController()
    const how = { signal: giving.signal, moved: () => giving.abort() }
    expect(await refusal(Promise.resolve(store.move?.(p('/docs'), p('/goal'), how)))).toBe('incomplete_body')
    expect(await namesIn(store)).toEqual(['docs'])
    expect(await namesIn(store, '/docs')).toHaveLength(60)
  })
})

tried('the names below a folder', () => {
  test('are known without a walk, and add up', async () => {
    const { store } = await place()
    for (const name of ['a/b/one', 'a/two', 'a-three']) await put(store, `/top/${name}`, 'four')
    const found: string[] = []
    for await (const { entries } of store.scan?.names(p('/top'), []) ?? []) {
      found.push(...entries.map(({ path, kind }) => `${kind} ${path}`))
    }
    expect(found.sort()).toEqual([
      'file /top/a-three',
      'file /top/a/b/one',
      'file /top/a/two',
      'folder /top/a',
      'folder /top/a/b',
    ])
    const top = await store.stat(p('/top'))
    const usage = top && (await usageOf({ store, policy: policyFor(ACTOR, []) }, top, true))
    expect(usage?.below).toEqual({ bytes: 12, files: 3, folders: 2 })
  })
})

tried('a store that cannot be used', () => {
  test.each([
    ['a wrong key', { accessKey: 'nobody' }, '', 'does not know this access key'],
    ['a wrong secret', { secretKey: 'guessed' }, '', 'The secret key is wrong'],
    ['a missing bucket', {}, 'another-bucket-of-ours', 'There is no such bucket'],
  ])('%s stops the start with a message', async (_, wrong, bucket, sentence) => {
    const { credentials, addressOf } = await sharedS3()
    const address = bucket ? addressOf('').replace(/s3:\/\/[^/?]+/, `s3://${bucket}`) : addressOf('')
    const opening = openS3({ address, credentials: { ...credentials, ...wrong } })
    await expect(opening).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(sentence) })
  })

  test('leaves nothing half published while it is unavailable, and is used again when it is back', async () => {
    const where = await place()
    const relay = await startRelay(where.address)
    const { credentials } = await sharedS3()
    const store = await openS3({ address: relay.address, credentials })
    await put(store, '/a.txt', 'old')
    relay.cut()
    const attempts = [
      () => put(store, '/a.txt', 'new'),
      () => put(store, '/b.bin', randomBytes(9 * MIB)),
      () => listed(store),
    ]
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: 'unavailable', wait: expect.any(Number) })
    }
    expect(await namesIn(where.store)).toEqual(['a.txt'])
    expect(await textAt(where.store, '/a.txt')).toBe('old')
    relay.mend()
    await put(store, '/a.txt', 'new')
    expect(await textAt(store, '/a.txt')).toBe('new')
  })
})
