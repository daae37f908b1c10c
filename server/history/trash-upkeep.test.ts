import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { placeInRoot } from '../../shared/places.ts'
import { openLocalCluster } from '../cluster/local.ts'
import type { Db } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { NO_DEPENDENTS } from '../files/places.ts'
import type { KeptRecord } from '../files/trash-records.ts'
import type { KeptThings, StorageDriver } from '../storage/driver.ts'
import { keptInRoot } from '../storage/kept-in-root.ts'
import { openLocal } from '../storage/local.ts'
import { severalRoots } from '../storage/several-roots.ts'
import { areaId, listAreas } from './kept.store.ts'
import { openPlace } from './test-place.ts'
import { trashRecords } from './trash.ts'
import { type KeepLimits, TrashUpkeep } from './trash-upkeep.ts'
import { ulid } from './ulid.ts'

const DAY = 86_400_000
type Limits = KeepLimits & { now: number }

const everything = { under: [parsePath('/')] }

let folder: string
let root: string
let db: Db
let storage: StorageDriver
let kept: KeptThings
/** What the upkeep logs. */
let errors: object[]

beforeEach(async () => {
  errors = []
  ;({ folder, root, db, storage, kept } = await openPlace())
})

function upkeep({ days = 30, share = 100, least = DAY, now = Date.now(), ...more }: Partial<Limits> = {}) {
  const log = { error: (facts: object, text: string) => void errors.push({ ...facts, text }) }
  const cluster = openLocalCluster()
  const recorded: string[] = []
  const audit = { record: async ({ target = '' }: { target?: string | undefined }) => void recorded.push(target) }
  const deps = { db, cluster, storage, kept, dependents: NO_DEPENDENTS, audit, log, isOnlyServer: true }
  const versions = { mode: 'smart', days: 365, share: 100, most: 200 } as const
  const limits = { keep: { days, share, least, ...more }, versions }
  return Object.assign(new TrashUpkeep({ ...deps, ...limits, now: () => now }), { recorded })
}

/** Records a deletion of a new file as it is before the rename. */
async function begun(name: string, deletedAt = Date.now() - 1000): Promise<KeptRecord> {
  await writeFile(join(root, name), name)
  const id = ulid(deletedAt)
  const path = parsePath(`/${name}`)
  const { at, was, place } = await kept.plan(path, id)
  const { identity, size, modified, mode } = was
  const about = { identity, size, modified, mode, isFolder: false, userId: 1, username: 'anna', deletedAt }
  const record = { id, at, place, ...about }
  await trashRecords(db).begin(record)
  return record
}

async function deleted(name: string, deletedAt?: number): Promise<KeptRecord> {
  const record = await begun(name, deletedAt)
  await setAside(record)
  await trashRecords(db).kept(record.id)
  return record
}

async function setAside({ id, at, place, username, deletedAt }: KeptRecord): Promise<void> {
  const { was } = await kept.plan(place, id)
  await kept.setAside(place, { at, was }, { id, username, deletedAt })
}

const listed = async () => (await trashRecords(db).list(everything, 100)).map(({ place }) => place)
const rows = () => db.selectFrom('kept').select(['state', 'gone_why']).execute()

test('what keeps an interrupted operation from being settled is in the log, unless its disk is unavailable', async () => {
  const { id } = await begun('a.txt')
  const failing = (thrown: Error) => {
    kept = { ...kept, look: () => Promise.reject(thrown) }
    return upkeep().recover()
  }
  await failing(new AppError('unavailable'))
  expect(errors).toEqual([])
  await failing(new Error('a mistake'))
  expect(errors).toMatchObject([{ kept: id, err: { message: 'a mistake' } }])
})

test('an area that is used for the first time at once by several callers has one row', async () => {
  const area = { home: parsePath('/'), area: 'its identity' }
  const ids = await Promise.all(Array.from({ length: 10 }, () => areaId(db, area)))
  expect(new Set(ids).size).toBe(1)
  expect(await listAreas(db)).toHaveLength(1)
})

describe('after a kill (HIST-02)', () => {
  test('a deletion that had not renamed yet never happened', async () => {
    await begun('a.txt')
    await upkeep().recover()
    expect(await rows()).toEqual([])
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a.txt')
  })

  test('a deletion that had renamed is finished', async () => {
    await setAside(await begun('a.txt'))
    await upkeep().recover()
    expect(await listed()).toEqual(['/a.txt'])
  })

  test('a thing that is neither here nor there is lost, and its row says so', async () => {
    await begun('a.txt')
    await rm(join(root, 'a.txt'))
    await upkeep().recover()
    expect(await rows()).toEqual([{ state: 'gone', gone_why: 'lost' }])
  })

  test('a restore that had not renamed yet is taken back, and one that had is finished', async () => {
    const [one, two] = [await deleted('a.txt'), await deleted('b.txt')]
    for (const { id } of [one, two]) await trashRecords(db).leave(id, 'restored')
    await kept.bringBack(two.at, two.place, { as: two.place })
    await upkeep().recover()
    expect(await listed()).toEqual(['/a.txt'])
  })

  test('a thing that was taken for lost and is there stays', async () => {
    const { id } = await deleted('a.txt')
    await trashRecords(db).leave(id, 'lost')
    await upkeep().recover()
    expect(await listed()).toEqual(['/a.txt'])
  })

  test('an interrupted purge is completed', async () => {
    const { id, at } = await deleted('a.txt')
    await trashRecords(db).leave(id, 'purged')
    await upkeep().recover()
    expect(await rows()).toEqual([{ state: 'gone', gone_why: 'purged' }])
    expect(await kept.look(at)).toBeUndefined()
  })

  test('TRASH-13 while the disk is unavailable, no row changes', async () => {
    const { id } = await deleted('a.txt')
    await trashRecords(db).leave(id, 'restored')
    await rename(root, `${root}-away`)
    await mkdir(root)
    await upkeep().recover()
    await upkeep().expire()
    expect(await rows()).toEqual([{ state: 'leaving', gone_why: 'restored' }])
    await rm(root, { recursive: true })
    await rename(`${root}-away`, root)
    await upkeep().recover()
    expect(await listed()).toEqual(['/a.txt'])
  })
})

describe('the disk and the rows', () => {
  test('TRASH-14 what the database lost is found again, once', async () => {
    const { id, deletedAt } = await deleted('a.txt')
    await db.deleteFrom('kept').execute()
    await db.deleteFrom('areas').execute()
    for (let round = 0; round < 2; round += 1) await upkeep().expire()
    const [found, ...others] = await trashRecords(db).list(everything, 100)
    expect(found).toMatchObject({ id, place: '/a.txt', username: 'anna', userId: 0, deletedAt })
    expect(others).toEqual([])
  })

  test('a row ends when its thing was taken out by hand', async () => {
    const { at } = await deleted('a.txt')
    const [area = ''] = (await readdir(root)).filter(name => name.startsWith('.filigree-'))
    await rename(join(root, area, 'trash/files', at.name), join(root, 'a.txt'))
    await upkeep().expire()
    expect(await rows()).toEqual([{ state: 'gone', gone_why: 'lost' }])
  })

  test('an area that others can write to is not used', async () => {
    await deleted('a.txt')
    const [area = ''] = (await readdir(root)).filter(name => name.startsWith('.filigree-'))
    await chmod(join(root, area), 0o777)
    await writeFile(join(root, 'b.txt'), 'b')
    await expect(kept.plan(parsePath('/b.txt'), ulid())).rejects.toMatchObject({ code: 'no_trash' })
  })
})

describe('expiry', () => {
  test('ends what is older than the days, and nothing else', async () => {
    const now = Date.now()
    await deleted('old.txt', now - 31 * DAY)
    await deleted('new.txt', now - 29 * DAY)
    const keeper = upkeep({ now })
    await keeper.expire()
    expect(await listed()).toEqual(['/new.txt'])
    expect(keeper.recorded).toEqual(['1'])
  })

  test('ends the oldest beyond the share of the disk, but nothing younger than a day', async () => {
    const now = Date.now()
    await deleted('a.txt', now - 3 * DAY)
    await deleted('b.txt', now - DAY / 2)
    await upkeep({ now, share: 0, days: 0 }).expire()
    expect(await listed()).toEqual(['/b.txt'])
  })

  test('HIST-06 ends the oldest when less than the spare room is free, but nothing younger than the least time', async () => {
    const now = Date.now()
    await deleted('a.txt', now - 3 * DAY)
    await deleted('b.txt', now - 2000)
    const { total } = (await kept.area(parsePath('/'))) ?? { total: 0 }
    await upkeep({ now, days: 0, spare: 0 }).expire()
    expect(await listed()).toEqual(['/b.txt', '/a.txt'])
    await upkeep({ now, days: 0, spare: 2 * total }).expire()
    expect(await listed()).toEqual(['/b.txt'])
    await upkeep({ now, days: 0, spare: 2 * total, least: 1000 }).expire()
    expect(await listed()).toEqual([])
  })

  test('when less than half of the spare room is free, an hour is the least time', async () => {
    const now = Date.now()
    await deleted('a.txt', now - 2 * 3_600_000)
    await deleted('b.txt', now - 3_000_000)
    const { total, free } = (await kept.area(parsePath('/'))) ?? { total: 0, free: 0 }
    await upkeep({ now, days: 0, spare: Math.min(free + 1, total) }).expire()
    expect(await listed()).toEqual(['/b.txt', '/a.txt'])
    await upkeep({ now, days: 0, spare: 3 * total }).expire()
    expect(await listed()).toEqual(['/b.txt'])
  })

  test('HIST-06 what was kept longest gives way to a write that does not fit, if that suffices', async () => {
    const now = Date.now()
    for (const [name, hours] of [
      ['a.txt', 4],
      ['b.txt', 3],
      ['c.txt', 2],
      ['d.txt', 0],
    ] as const) {
      await deleted(name, now - hours * 3_600_000 - 1)
    }
    const { area } = kept
    kept = { ...kept, area: async home => (there => there && { ...there, total: 1000, free: 10 })(await area(home)) }
    const write = { place: parsePath('/x'), total: 1000 }
    await upkeep({ now }).makeRoom({ ...write, bytes: 10 })
    await upkeep({ now }).makeRoom({ ...write, bytes: 26 })
    await upkeep({ now }).makeRoom({ ...write, bytes: 16, total: 999 })
    expect(await listed()).toHaveLength(4)
    const writing = upkeep({ now })
    await writing.makeRoom({ ...write, bytes: 16 })
    expect(await listed()).toEqual(['/d.txt', '/c.txt'])
    expect(writing.recorded).toEqual(['2'])
  })

  test('frees the space, and leaves alone what another program put in place of a thing', async () => {
    const now = Date.now()
    const { at } = await deleted('a.txt', now - 31 * DAY)
    await deleted('b.txt', now - 31 * DAY)
    const [area = ''] = (await readdir(root)).filter(name => name.startsWith('.filigree-'))
    await writeFile(join(root, 'other'), 'other')
    await utimes(join(root, 'other'), 1, 1)
    await rename(join(root, 'other'), join(root, area, 'trash/files', at.name))
    await upkeep({ now }).expire()
    expect(await listed()).toEqual(['/a.txt'])
    expect(await readdir(join(root, area, 'leaving'))).toEqual([])
    expect((await stat(join(root, area, 'trash/files', at.name))).mtimeMs).toBe(1000)
  })

  test('removes old notes of things that are gone, and no others', async () => {
    const [one, two, three] = [await deleted('a.txt'), await deleted('b.txt'), await deleted('c.txt')]
    const [area = ''] = (await readdir(root)).filter(name => name.startsWith('.filigree-'))
    for (const { at } of [one, two]) await rm(join(root, area, 'trash/files', at.name))
    for (const { at } of [one, three]) await utimes(join(root, area, 'trash/info', `${at.name}.trashinfo`), 1, 1)
    await upkeep().expire()
    const left = [two, three].map(({ at }) => `${at.name}.trashinfo`).sort()
    expect((await readdir(join(root, area, 'trash/info'))).sort()).toEqual(left)
  })

  test('counts folders, so that their size is known', async () => {
    await mkdir(join(root, 'docs/deep'), { recursive: true })
    await writeFile(join(root, 'docs/deep/a.txt'), 'content')
    const id = ulid()
    const path = parsePath('/docs')
    const { at, was, place } = await kept.plan(path, id)
    const { identity, modified, mode } = was
    const about = { identity, size: 0, modified, mode, isFolder: true, userId: 1, username: 'anna', deletedAt: 0 }
    await trashRecords(db).begin({ id, at, place, ...about, deletedAt: Date.now() })
    await kept.setAside(path, { at, was }, { id, username: 'anna', deletedAt: Date.now() })
    await trashRecords(db).kept(id)
    await upkeep().expire()
    expect(await db.selectFrom('kept').select(['size', 'entries']).execute()).toEqual([{ size: 7, entries: 2 }])
  })
})

describe('a further root', () => {
  let media: KeptThings
  let isAway: boolean

  beforeEach(async () => {
    await mkdir(join(folder, 'media'))
    const other = await openLocal({ root: join(folder, 'media'), stagingKey: Buffer.from('a key for tests only') })
    const settings = { name: 'media', root: '', rootFolder: '', readOnly: false, credentials: undefined }
    const open = async () => {
      if (isAway) throw new AppError('unavailable')
      return other
    }
    isAway = false
    storage = severalRoots(storage, { list: [settings], open })
    if (!storage.kept || !other.kept) throw new Error('this store keeps nothing')
    kept = storage.kept
    media = keptInRoot(other.kept, 'media')
  })

  async function deletedThere(name: string, deletedAt = Date.now() - 1000): Promise<KeptRecord> {
    await writeFile(join(folder, 'media', name), name)
    const [id, path] = [ulid(deletedAt), parsePath(`/${name}`)]
    const { at, was, place } = await media.plan(path, id)
    const { identity, size, modified, mode } = was
    const record = { id, at, place, identity, size, modified, mode, isFolder: false, userId: 1, username: 'anna' }
    await trashRecords(db).begin({ ...record, deletedAt })
    await media.setAside(path, { at, was }, { id, username: 'anna', deletedAt })
    return { ...record, deletedAt }
  }

  const listedThere = async () =>
    (await trashRecords(db).list({ under: [placeInRoot({ root: 'media', path: parsePath('/') })] }, 100)).map(
      ({ place }) => place,
    )

  test('HIST-02 a deletion in it that had renamed is finished, and is not below the first root', async () => {
    await deletedThere('a.txt')
    await upkeep().recover()
    expect([await listed(), await listedThere()]).toEqual([[], ['//media/a.txt']])
    expect(await trashRecords(db).sums(everything)).toEqual([])
  })

  test('TRASH-14 what the database lost of it is found again', async () => {
    const { id } = await deletedThere('a.txt')
    await upkeep().recover()
    await db.deleteFrom('kept').execute()
    await upkeep().expire()
    expect(await trashRecords(db).find(id)).toMatchObject({ place: '//media/a.txt', at: { home: '//media' } })
  })

  test('TRASH-13 while it is unavailable nothing of it changes, and what is old in the first root expires', async () => {
    await deletedThere('a.txt', Date.now() - 31 * DAY)
    await deleted('b.txt', Date.now() - 31 * DAY)
    await upkeep().recover()
    isAway = true
    await upkeep().expire()
    expect([await listed(), await listedThere()]).toEqual([[], ['//media/a.txt']])
    isAway = false
    await upkeep().expire()
    expect(await listedThere()).toEqual([])
  })

  test('a write there makes room on its own disk only', async () => {
    const before = Date.now() - 2 * DAY
    await deletedThere('a.txt', before)
    await deleted('b.txt', before)
    await upkeep().recover()
    const { area } = kept
    kept = { ...kept, area: async home => (there => there && { ...there, total: 1000, free: 0 })(await area(home)) }
    await upkeep().makeRoom({ place: placeInRoot({ root: 'media', path: parsePath('/new') }), bytes: 5, total: 1000 })
    expect([await listed(), await listedThere()]).toEqual([['/b.txt'], []])
  })
})
