import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { cacheIn } from '../../storage/cache-in-driver.ts'
import type { StorageDriver, WriteOptions } from '../../storage/driver.ts'
import { openMemory } from '../../storage/memory.ts'
import { writeFile } from '../../storage/write-file.ts'
import { Cache } from './cache.ts'

const BLOCK = 4096
const keyOf = (name: string) => createHash('sha256').update(name).digest('hex')
/** With its checksum, one block. */
const block = (text: string) => Buffer.alloc(BLOCK - 4, text)

async function kept(cache: Cache, names: string): Promise<string> {
  await cache.settled()
  const found = await Promise.all([...names].map(name => cache.get(keyOf(name))))
  return [...names].filter((_name, index) => found[index]).join('')
}

async function filesIn(store: StorageDriver, folder = '/'): Promise<string[]> {
  const found: string[] = []
  for await (const batch of store.list(parsePath(folder))) {
    for (const { kind, path } of batch) found.push(...(kind === 'folder' ? await filesIn(store, path) : [path]))
  }
  return found
}

/** Modifies a cached file in its store. */
async function rewrite(store: StorageDriver, name: string, change: (content: Buffer) => Buffer, how: WriteOptions) {
  const key = keyOf(name)
  const path = parsePath(`/${key.slice(0, 2)}/${key.slice(2)}`)
  const file = await store.read(path)
  const content = change(await buffer(file.stream()))
  await file.close()
  await writeFile(store, path, Readable.from([content]), how)
}

test('a cache returns what was stored, with the time it was stored', async () => {
  const cache = new Cache(cacheIn(openMemory()), 10 * BLOCK)
  const before = Date.now()
  expect(await cache.get(keyOf('a'))).toBeUndefined()
  await cache.put(keyOf('a'), Buffer.from('alpha'))
  const found = await cache.get(keyOf('a'))
  expect(found?.bytes.toString()).toBe('alpha')
  expect(found?.written).toBeGreaterThanOrEqual(before)
  await cache.put(keyOf('a'), Buffer.from('beta'))
  expect((await cache.get(keyOf('a')))?.bytes.toString()).toBe('beta')
})

test('the least recently used item is evicted for a new one', async () => {
  const store = openMemory()
  const cache = new Cache(cacheIn(store), 3 * BLOCK)
  for (const name of 'abc') await cache.put(keyOf(name), block(name))
  await cache.get(keyOf('a'))
  await cache.put(keyOf('d'), block('d'))
  expect(await kept(cache, 'abcd')).toBe('acd')
  expect(await filesIn(store)).toHaveLength(3)
})

test('a cache never exceeds its budget, small items counting as a block', async () => {
  const store = openMemory()
  const cache = new Cache(cacheIn(store), 3 * BLOCK)
  for (const name of 'abcdefgh') await cache.put(keyOf(name), Buffer.from(name))
  expect(await kept(cache, 'abcdefgh')).toBe('fgh')
  await cache.put(keyOf('x'), Buffer.alloc(4 * BLOCK))
  await cache.settled()
  expect(await filesIn(store)).toEqual([])
})

test('a reopened cache keeps its items, the oldest evicted first', async () => {
  const store = openMemory()
  const first = new Cache(cacheIn(store), 3 * BLOCK)
  for (const [index, name] of [...'cab'].entries()) {
    await first.put(keyOf(name), block(name))
    await first.settled()
    await rewrite(store, name, content => content, { modified: 1000 * (index + 1) })
  }
  const second = new Cache(cacheIn(store), 3 * BLOCK)
  await second.put(keyOf('d'), block('d'))
  expect(await kept(second, 'abcd')).toBe('abd')
})

test('other files next to a cache are left alone', async () => {
  const store = openMemory()
  for (const path of ['/mine.txt', '/ab/mine.txt', '/photos/a']) {
    await writeFile(store, parsePath(path), Readable.from([block(path)]), {})
  }
  const cache = new Cache(cacheIn(store), BLOCK)
  for (const name of 'abc') await cache.put(keyOf(name), block(name))
  await cache.settled()
  expect((await filesIn(store)).filter(path => path.length < 20).sort()).toEqual([
    '/ab/mine.txt',
    '/mine.txt',
    '/photos/a',
  ])
})

test('a file that a power failure corrupted is a miss, and is stored again', async () => {
  const store = openMemory()
  const cache = new Cache(cacheIn(store), 9 * BLOCK)
  const damages: ((content: Buffer) => Buffer)[] = [
    content => content.fill(0),
    content => content.subarray(0, 2000),
    content => content.fill(0, 3000),
    () => Buffer.alloc(0),
  ]
  for (const damage of damages) {
    await cache.put(keyOf('a'), block('a'))
    await rewrite(store, 'a', damage, {})
    expect(await cache.get(keyOf('a'))).toBeUndefined()
  }
  await cache.put(keyOf('a'), block('a'))
  expect(await kept(cache, 'a')).toBe('a')
})

test('a file that was removed from a cache is a miss', async () => {
  const store = openMemory()
  const cache = new Cache(cacheIn(store), 2 * BLOCK)
  await cache.put(keyOf('a'), block('a'))
  await store.remove(parsePath(`/${keyOf('a').slice(0, 2)}`))
  expect(await cache.get(keyOf('a'))).toBeUndefined()
  for (const name of 'bcd') await cache.put(keyOf(name), block(name))
  expect(await kept(cache, 'abcd')).toBe('cd')
})

test('caches of several processes in one place stay within the budget together', async () => {
  const store = openMemory()
  const caches = [new Cache(cacheIn(store), 8 * BLOCK), new Cache(cacheIn(store), 8 * BLOCK)]
  for (const [index, name] of [...'abcdefghijklmnopqrst'].entries()) {
    const cache = caches[index % 2]
    await cache?.put(keyOf(name), block(name))
    await cache?.settled()
  }
  const most = 8 + caches.length
  expect((await filesIn(store)).length).toBeLessThanOrEqual(most)
  expect((await filesIn(store)).length).toBeGreaterThan(4)
})

test('entries that cannot be listed or removed do not prevent storing others', async () => {
  const files = cacheIn(openMemory())
  let isUnavailable = true
  const list = async function* () {
    if (isUnavailable) throw new AppError('unavailable')
    yield* files.list()
  }
  const cache = new Cache({ ...files, list }, 2 * BLOCK)
  for (const name of 'abcd') await cache.put(keyOf(name), block(name))
  expect(await kept(cache, 'abcd')).toBe('abcd')
  isUnavailable = false
  await cache.put(keyOf('e'), block('e'))
  expect(await kept(cache, 'abcde')).toBe('de')
})
