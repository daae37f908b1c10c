import { Readable } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { findNames } from '../../server/files/find.ts'
import { policyFor } from '../../server/files/policy.ts'
import { ACTOR, dice, foundBy, live, NAMES, rule, searchedBy, totalsOf } from '../../server/search-index/test-same.ts'
import { folderKey } from '../../server/storage/s3/keys.ts'
import { putObject, removeObject } from '../../server/storage/s3/objects.ts'
import { writeFile } from '../../server/storage/write-file.ts'
import { type FilePath, parsePath, ROOT, trustedChild } from '../../shared/path.ts'
import { caughtUp, complete, expectKnown, indexedBucket, plantMany } from './indexed-bucket.ts'
import { hasPostgres } from './postgres.ts'
import { hasS3 } from './s3-store.ts'

const EMPTY = Buffer.alloc(0)
const pathOf = (...names: string[]) => names.reduce((path: FilePath, name) => trustedChild(path, name), ROOT)

const KEPT = [
  ['a file', false],
  ['PostgreSQL', true],
] as const

describe.runIf(hasS3 && hasPostgres).each(KEPT)('an index of the names in a bucket, kept in %s,', (_, isShared) => {
  test('returns what a walk returns, after any operation in it', async () => {
    const { here, open } = await indexedBucket(isShared)
    const roll = dice(20_261_122)
    const path = () => pathOf(...Array.from({ length: 1 + roll(3) }, () => NAMES[roll(NAMES.length)] ?? 'a'))
    const opened = await open({ scanEvery: 1 })
    const { store, index } = opened
    const own = async () => {
      const [one, other] = [path(), path()]
      const operations = [
        () => store.mkdir(one),
        () => writeFile(store, one, Readable.from([Buffer.alloc(roll(50))]), {}),
        () => writeFile(store, one, Readable.from([Buffer.alloc(roll(50))]), {}),
        () => store.move?.(one, other),
        () => store.remove(one),
      ]
      // Many of them fail.
      await operations[roll(operations.length)]?.()?.catch(() => {})
      for (const changed of [one, other]) await index.changed(changed)
    }
    const foreign = async () => {
      const key = folderKey(here.base, path()).slice(0, roll(4) === 0 ? undefined : -1)
      if (roll(3) === 0) await removeObject(here.client, key)
      else await putObject(here.client, key, Buffer.alloc(roll(20)), {})
    }
    for (let count = 0; count < 40; count++) await foreign()
    await complete(opened)
    await expectKnown(opened)
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 12; count++) await own()
      await expectKnown(opened)
    }
    for (let round = 0; round < 2; round++) {
      for (let count = 0; count < 12; count++) await foreign()
      // Each search that finds the last scan outdated starts another.
      await vi.waitFor(() => expectKnown(opened), { timeout: 60_000 })
    }
  })

  test('returns only names of valid paths, and the folder where a file has the same name', async () => {
    const { here, open } = await indexedBucket(isShared)
    for (const key of ['a', 'a/b', 'a-b', 'a/b/', 'c//d', 'e/../f', '.~fb-!/x', '.~fg/y', 'g/.', '/h', 'z/z/z/z']) {
      await putObject(here.client, here.base + key, Buffer.from('12'), {})
    }
    const opened = await open()
    await complete(opened)
    await expectKnown(opened)
    expect(await searchedBy(opened)).toEqual([
      '/a',
      '/a/b',
      '/a-b',
      '/c',
      '/e',
      '/g',
      '/z',
      '/z/z',
      '/z/z/z',
      '/z/z/z/z',
    ])
  })

  test('answers without requests to the store', async () => {
    const { here, relay, open } = await indexedBucket(isShared)
    for (let number = 0; number < 40; number++) await here.plantFile(`inside/d${number % 4}/file ${number}`, 'x')
    const opened = await open()
    await complete(opened)
    const { index } = opened
    const before = relay.asked()
    expect(await foundBy(opened, 'file 7')).toEqual(['/d3/file 7'])
    expect(await totalsOf(opened, parsePath('/d1'))).toEqual({ bytes: 10, files: 10, folders: 0 })
    expect(await index.sizes(ROOT, { most: 2 })).toMatchObject({
      isComplete: true,
      count: 4,
      total: { files: 40, folders: 4 },
    })
    const store = await opened.store.within(parsePath('/d2'))
    const policy = policyFor(ACTOR, [rule('/file 2', false)])
    const top = await store.stat(ROOT)
    const between = relay.asked()
    const found = top ? await Array.fromAsync(findNames({ store, policy, index }, top, ['file 2'], live)) : []
    expect(found.map(entry => entry.path)).toEqual(['/file 22', '/file 26'])
    expect(relay.asked() - between).toBe(0)
    expect(between - before).toBeLessThan(2000)
    await searchedBy(await open(), 'file 7')
    expect(relay.asked()).toBeGreaterThan(between)
  })

  test('is notified of our own changes, and detects those of others when they are listed, and when it is outdated', async () => {
    const { here, open } = await indexedBucket(isShared)
    await here.plantFile('inside/there', '')
    const opened = await open()
    const { store, index } = opened
    await complete(opened)
    await writeFile(store, pathOf('new', 'er', 'thing'), Readable.from([EMPTY]), {})
    await index.changed(pathOf('new', 'er', 'thing'))
    await caughtUp(opened)
    expect(await searchedBy(opened, 'thing')).toEqual(['/new/er/thing'])
    await store.remove(pathOf('new'))
    await index.changed(pathOf('new'))
    await expectKnown(opened)
    await here.plantFile('inside/foreign', '')
    expect(await searchedBy(opened, 'foreign')).toEqual([])
    await Array.fromAsync(store.list(ROOT))
    await expect.poll(() => searchedBy(opened, 'foreign')).toEqual(['/foreign'])
    await here.plantFile('inside/foreign 1', '')
    await index.close()
    const old = await open({ scanEvery: 1 })
    await complete(old)
    expect(await searchedBy(old, 'foreign')).toEqual(['/foreign', '/foreign 1'])
    await here.plantFile('inside/foreign 2', '')
    await expect.poll(() => searchedBy(old, 'foreign')).toEqual(['/foreign', '/foreign 1', '/foreign 2'])
  })

  test('is replaced by listings until it is complete, and completed although the store was unavailable', async () => {
    const { here, relay, open } = await indexedBucket(isShared)
    await here.plantFile('inside/a/thing', '12')
    const opened = await open()
    expect(await searchedBy(opened, 'thing')).toContain('/a/thing')
    expect(await totalsOf(opened)).toEqual({ bytes: 2, files: 1, folders: 1 })
    expect(opened.events).toEqual([])
    relay.cut()
    await opened.index.want()
    await vi.waitUntil(async () => (await opened.index.sizes(ROOT, { most: 0 }))?.isComplete === false, {
      timeout: 60_000,
    })
    relay.mend()
    await complete(opened)
    await expectKnown(opened)
  })

  test('includes changes made during a scan', async () => {
    const { here, relay, open } = await indexedBucket(isShared)
    await plantMany(here)
    await here.plantFile('inside/b/one', '')
    const opened = await open()
    const { index } = opened
    relay.slow(5000)
    const before = relay.answered()
    await index.want()
    // The first page, as it was before.
    await vi.waitUntil(() => relay.answered() > before + 100_000, { timeout: 60_000 })
    const { store } = here
    const operations: [FilePath, () => Promise<unknown>][] = [
      [pathOf('d0', 'new'), () => writeFile(store, pathOf('d0', 'new'), Readable.from([EMPTY]), {})],
      [pathOf('b'), () => store.remove(pathOf('b'))],
      [pathOf('d2', 'file 2'), () => store.remove(pathOf('d2', 'file 2'))],
      [pathOf('d5', 'file 5'), () => writeFile(store, pathOf('d5', 'file 5'), Readable.from(['longer']), {})],
      [pathOf('a', 'deep'), () => store.mkdir(pathOf('a', 'deep'))],
    ]
    await Promise.all(operations.map(async ([path, act]) => act().then(() => index.changed(path))))
    relay.slow(0)
    await complete(opened)
    await expectKnown(opened)
  })

  test('can be used after it was closed in the middle of a scan', async () => {
    const { here, relay, open } = await indexedBucket(isShared)
    await plantMany(here)
    const first = await open()
    relay.slow(2000)
    await first.index.want()
    const before = relay.asked()
    await vi.waitUntil(() => relay.asked() > before + 1000, { timeout: 60_000 })
    await first.index.close()
    expect(first.events).toEqual([])
    relay.slow(0)
    await here.plantFile('inside/d3/late', '')
    const second = await open()
    await complete(second)
    expect(second.events.map(({ event }) => event)).toEqual(['complete'])
    await expectKnown(second)
  })
})
