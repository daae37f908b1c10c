import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { openLocalCluster } from '../cluster/local.ts'
import type { Db } from '../db/schema.ts'
import { NO_DEPENDENTS } from '../files/places.ts'
import type { KeepReplaced, KeptThings, ReplacedFile, StorageDriver } from '../storage/driver.ts'
import { writeFile as publish } from '../storage/write-file.ts'
import { differences, repair } from './check.ts'
import { openPlace } from './test-place.ts'
import { TrashUpkeep } from './trash-upkeep.ts'
import { ulid } from './ulid.ts'
import { versionRecords } from './versions.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const A = parsePath('/a.txt')

let root: string
let db: Db
let storage: StorageDriver
let kept: KeptThings

beforeEach(async () => {
  ;({ root, db, storage, kept } = await openPlace())
})

interface Limits {
  days?: number
  share?: number
  spare?: number
  clock?: { now: number }
}

function upkeep({ days = 365, share = 100, spare = 0, clock = { now: Date.now() } }: Limits = {}) {
  const keep = { days: 30, share: 100, spare, least: DAY }
  const versions = { mode: 'smart', days, share, most: 200 } as const
  const log = { error() {} }
  const audit = { record: async () => {} }
  const deps = { db, cluster: openLocalCluster(), storage, kept, dependents: NO_DEPENDENTS, audit, log }
  return new TrashUpkeep({ ...deps, isOnlyServer: true, keep, versions, now: () => clock.now })
}

/** Replaces a file as the server does, up to the record that ends it. @param age milliseconds since then */
async function replaced(content: string, { age = 1000, name = 'a.txt' } = {}): Promise<string> {
  const path = parsePath(`/${name}`)
  const id = ulid(Date.now() - age)
  const keep: KeepReplaced = {
    id,
    username: 'anna',
    mayCopy: 0,
    kept: file => versionRecords(db).begin(recordOf(file, age)),
  }
  await publish(storage, path, Readable.from([Buffer.from(content)]), { keep })
  return id
}

function recordOf({ at, was, place, identity }: ReplacedFile, age: number) {
  const { size, modified, mode } = was
  const whose = { userId: 1, username: 'anna', replacedAt: Date.now() - age, reason: 'save' as const }
  return { id: at.name, at, place, was: was.identity, identity, size, modified, mode, ...whose }
}

async function version(content: string, how: { age?: number; name?: string } = {}): Promise<string> {
  const id = await replaced(content, how)
  const now = await storage.stat(parsePath(`/${how.name ?? 'a.txt'}`))
  if (!now) throw new Error('the file is missing')
  await versionRecords(db).done(id, { ...now, place: now.canonical })
  return id
}

const rows = () => db.selectFrom('kept').select(['id', 'state', 'gone_why']).orderBy('id').execute()
const stays = async () => (await rows()).filter(({ state }) => state === 'kept').map(({ id }) => id)

async function areaFolder(): Promise<string> {
  const name = (await readdir(root)).find(one => one.startsWith('.filigree-'))
  if (!name) throw new Error('there is no area')
  return join(root, name, 'versions')
}
const file = async (id: string) => join(await areaFolder(), id.slice(-2), id)

describe('after a kill (HIST-02)', () => {
  test('a replacement that was recorded and had not renamed yet never happened', async () => {
    await writeFile(join(root, 'a.txt'), 'one')
    const id = ulid(Date.now() - 1000)
    const stop = new Error('killed')
    const keep: KeepReplaced = {
      id,
      username: 'anna',
      mayCopy: 0,
      async kept(found) {
        await versionRecords(db).begin(recordOf(found, 1000))
        throw stop
      },
    }
    await publish(storage, A, Readable.from([Buffer.from('two')]), { keep }).catch(() => {})
    await link(join(root, 'a.txt'), await file(id))
    await upkeep().recover()
    expect([await rows(), await readFile(join(root, 'a.txt'), 'utf8')]).toEqual([[], 'one'])
    await expect(stat(await file(id))).rejects.toThrow('ENOENT')
  })

  test('a replacement that had renamed is finished, also where the new file was moved or removed since', async () => {
    await writeFile(join(root, 'a.txt'), 'one')
    const first = await replaced('two')
    await upkeep().recover()
    const second = await replaced('three')
    await rename(join(root, 'a.txt'), join(root, 'b.txt'))
    await upkeep().recover()
    expect(await stays()).toEqual([first, second].toSorted())
    expect(await readFile(await file(first), 'utf8')).toBe('one')
    expect(await readFile(await file(second), 'utf8')).toBe('two')
  })

  test('a second name without a record goes once no process can be using it; any other is left alone', async () => {
    await writeFile(join(root, 'a.txt'), 'one')
    await version('two')
    const [old, young, only] = [ulid(Date.now() - DAY), ulid(), ulid(Date.now() - DAY)]
    for (const id of [old, young, only]) {
      await mkdir(join(await areaFolder(), id.slice(-2)), { recursive: true, mode: 0o700 })
      if (id === only) await writeFile(await file(id), 'unknown')
      else await link(join(root, 'a.txt'), await file(id))
    }
    await upkeep().expire()
    await expect(stat(await file(old))).rejects.toThrow('ENOENT')
    expect(await readFile(await file(young), 'utf8')).toBe('two')
    expect(await readFile(await file(only), 'utf8')).toBe('unknown')
  })

  test('a second name without a record is no difference while a replacement may be under way, then one to repair', async () => {
    await writeFile(join(root, 'a.txt'), 'one')
    await version('two')
    const [old, young] = [ulid(Date.now() - DAY), ulid()]
    for (const id of [old, young]) {
      await mkdir(join(await areaFolder(), id.slice(-2)), { recursive: true, mode: 0o700 })
      await link(join(root, 'a.txt'), await file(id))
    }
    const deps = { db, cluster: openLocalCluster(), storage, kept, dependents: NO_DEPENDENTS }
    expect(await Array.fromAsync(differences(deps))).toMatchObject([{ kind: 'unfinished', id: old }])
    await repair(deps)
    expect(await Array.fromAsync(differences(deps))).toEqual([])
    expect(await readFile(await file(young), 'utf8')).toBe('two')
  })
})

test('versions that the database lost are found again by the list on the disk, once', async () => {
  await writeFile(join(root, 'a.txt'), 'one')
  const id = await version('two', { age: DAY })
  await db.deleteFrom('kept').execute()
  await db.deleteFrom('objects').execute()
  await db.deleteFrom('areas').execute()
  for (let round = 0; round < 2; round += 1) await upkeep().expire()
  const now = await storage.stat(A)
  const records = versionRecords(db)
  const object = await records.objectOf({ identity: now?.identity ?? '', place: A })
  const found = await records.list(object?.id ?? '', undefined, 10)
  expect(found).toMatchObject([{ id, place: A, username: 'anna', size: 3, reason: 'outside' }])
})

test('a version that was taken out by hand ends, and one whose place another file took is not removed', async () => {
  await writeFile(join(root, 'a.txt'), 'one')
  const [taken, swapped] = [await version('two', { age: 400 * DAY }), await version('three', { age: 399 * DAY })]
  await rm(await file(taken))
  await rm(await file(swapped))
  await writeFile(await file(swapped), 'of another program')
  await upkeep().expire()
  expect((await rows()).find(({ id }) => id === taken)).toMatchObject({ state: 'gone', gone_why: 'lost' })
  expect(await readFile(await file(swapped), 'utf8')).toBe('of another program')
})

describe('expiry', () => {
  test('VERS-03 versions are thinned by age, pinned ones stay, and the file is untouched', async () => {
    await writeFile(join(root, 'a.txt'), '0')
    const ages = [400, 390, 20, 2, 1].map(days => days * DAY)
    const ids: string[] = []
    for (const [index, age] of ages.entries()) ids.push(await version(String(index + 1), { age }))
    await versionRecords(db).change(ids[0] ?? '', { label: null, pinned: true })
    await upkeep().expire()
    expect(await stays()).toEqual([ids[0], ...ids.slice(2)])
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('5')
    expect((await rows()).find(({ id }) => id === ids[1])).toMatchObject({ state: 'gone', gone_why: 'thinned' })
  })

  test('VERS-03 a version that is the file at its path itself never goes', async () => {
    await writeFile(join(root, 'a.txt'), 'one')
    const id = await version('two', { age: 400 * DAY })
    await rm(join(root, 'a.txt'))
    await link(await file(id), join(root, 'a.txt'))
    await upkeep({ share: 0, spare: 2 ** 60 }).expire()
    expect(await stays()).toEqual([id])
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('one')
  })

  test.each([400, -400])(
    'VERS-03 a clock that is set by %s days while the server runs ends no version, until an administrator confirms it',
    async days => {
      await writeFile(join(root, 'a.txt'), '0')
      const ids: string[] = []
      for (const age of [50, 49, 2, 1]) ids.push(await version(String(age), { age: age * HOUR }))
      const clock = { now: Date.now() - 48 * HOUR }
      const keeper = upkeep({ clock })
      await keeper.expire()
      const before = await stays()
      clock.now += days * DAY
      await keeper.expire()
      await keeper.expire()
      expect([await stays(), await readFile(join(root, 'a.txt'), 'utf8')]).toEqual([before, '1'])
      expect(before).toEqual(ids)
    },
  )

  test('beyond their share of the disk the oldest versions go, but none that is pinned or younger than a day', async () => {
    await writeFile(join(root, 'a.txt'), '0')
    const ids: string[] = []
    for (const days of [4, 3, 2, 0.5]) ids.push(await version(String(days), { age: days * DAY }))
    await versionRecords(db).change(ids[1] ?? '', { label: 'Draft', pinned: true })
    await upkeep({ share: 0 }).expire()
    expect(await stays()).toEqual([ids[1], ids[3]])
  })

  test('for lack of room versions that are not the last of their file go before any that is', async () => {
    const ids: string[] = []
    for (const [name, days] of [
      ['b.txt', 5],
      ['a.txt', 4],
      ['a.txt', 3],
    ] as const) {
      await writeFile(join(root, name), Buffer.alloc(1000))
      ids.push(await version('x'.repeat(1000), { age: days * DAY, name }))
    }
    const area = await kept.area(parsePath('/'))
    if (!area) throw new Error('there is no area')
    // 500 bytes are lacking: less than one file.
    kept = { ...kept, area: async home => (home === '/' ? { ...area, free: 1000 } : undefined) }
    await upkeep({ spare: 1250 }).expire()
    expect(await stays()).toEqual([ids[0], ids[2]])
  })
})
