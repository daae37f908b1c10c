import { Readable } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { connectionTo } from '../../server/db/connection.ts'
import { foundBy, searchedBy } from '../../server/search-index/test-same.ts'
import { writeFile } from '../../server/storage/write-file.ts'
import { parsePath, ROOT } from '../../shared/path.ts'
import { caughtUp, complete, expectKnown, indexedBucket, plantMany } from './indexed-bucket.ts'
import { ask, hasPostgres, makeDatabase, sharedPostgres } from './postgres.ts'
import { startDatabaseRelay } from './relay.ts'
import { hasS3 } from './s3-store.ts'

describe.runIf(hasS3 && hasPostgres)('an index of the names in a bucket that servers share', () => {
  test('is scanned by one of them, and available to all', async () => {
    const { here, relay, open } = await indexedBucket(true)
    for (let number = 0; number < 40; number++) await here.plantFile(`inside/d${number % 4}/file ${number}`, 'x')
    const one = await open()
    await complete(one)
    const other = await open()
    const before = relay.asked()
    await complete(other)
    expect(await foundBy(other, 'file 7')).toEqual(['/d3/file 7'])
    expect(relay.asked()).toBe(before)
    await expectKnown(other)
  })

  test('contains what each of them changes, and what happens while no server runs', async () => {
    const { here, open } = await indexedBucket(true)
    await here.plantFile('inside/there', '')
    const [one, other] = [await open(), await open()]
    await Promise.all([complete(one), complete(other)])
    for (const [at, who] of [one, other].entries()) {
      const path = parsePath(`/by ${at}/thing`)
      await writeFile(who.store, path, Readable.from(['x']), {})
      await who.index.changed(path)
      await caughtUp(who)
      await expect.poll(() => searchedBy(at === 0 ? other : one, 'thing')).toContain(path)
    }
    await expectKnown(one)
    await one.index.close()
    await other.store.remove(parsePath('/by 0'))
    await other.index.changed(parsePath('/by 0'))
    await expectKnown(other)
    await other.index.close()
    await here.plantFile('inside/alone', '')
    const late = await open()
    await complete(late)
    expect(await searchedBy(late, 'alone')).toEqual(['/alone'])
    await expectKnown(late)
  })

  test('is continued by another server when the scanning one ends', async () => {
    const { here, relay, open } = await indexedBucket(true)
    await plantMany(here)
    relay.slow(2000)
    const [one, other] = [await open(), await open()]
    const before = relay.asked()
    await one.index.want()
    await vi.waitUntil(() => relay.asked() > before + 1000, { timeout: 60_000 })
    await other.index.want()
    await vi.waitUntil(async () => (await other.index.sizes(ROOT, { most: 0 }))?.isComplete === false, {
      timeout: 60_000,
    })
    await one.index.close()
    relay.slow(0)
    await complete(other)
    expect(one.events).toEqual([])
    await expectKnown(other)
  })

  test('is not used while the database is unavailable, and scanned again when it is back', async () => {
    const { here, open } = await indexedBucket(true)
    await here.plantFile('inside/a/thing', '12')
    const address = await (await sharedPostgres()).make()
    const way = await startDatabaseRelay(address)
    const other = await open({ database: connectionTo(address) })
    const cutOff = await open({ database: connectionTo(way.address) })
    await Promise.all([complete(other), complete(cutOff)])
    way.cut()
    await here.plantFile('inside/b/thing', '12')
    const { events } = cutOff
    expect(await searchedBy(cutOff, 'thing')).toEqual(['/a/thing', '/b/thing'])
    expect(events.map(({ event }) => event)).toEqual(['complete', 'out of reach'])
    expect(await searchedBy(other, 'thing')).toEqual(['/a/thing'])
    way.mend()
    await vi.waitUntil(() => events.length === 3, { timeout: 60_000 })
    expect(events.at(-1)?.event).toBe('complete')
    await expectKnown(cutOff)
    expect(await searchedBy(other, 'thing')).toEqual(['/a/thing', '/b/thing'])
  })

  test('is stored in a file of each where the database does not support trigrams', async () => {
    const { here, open } = await indexedBucket(true)
    await here.plantFile('inside/a/thing', '12')
    const own = await makeDatabase((await sharedPostgres()).address)
    const name = new URL(own).pathname.slice(1)
    await ask(own, `create role ${name} login password 'secret'`)
    const guest = new URL(own)
    guest.username = name
    guest.password = 'secret'
    const opened = await open({ database: connectionTo(guest.href) })
    await complete(opened)
    expect(opened.events.map(({ event }) => event)).toEqual(['kept in a file', 'complete'])
    await expectKnown(opened)
  })
})
