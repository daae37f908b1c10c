import { chmod, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { openLocalCluster } from '../cluster/local.ts'
import type { Db } from '../db/schema.ts'
import { NO_DEPENDENTS } from '../files/places.ts'
import type { KeptThings, ReplacedFile, StorageDriver } from '../storage/driver.ts'
import { writeFile as publish } from '../storage/write-file.ts'
import { confirmClock, hasJumped } from './clock.ts'
import { historyFindings } from './findings.ts'
import { openPlace } from './test-place.ts'
import { trashRecords } from './trash.ts'
import { TrashUpkeep } from './trash-upkeep.ts'
import { ulid } from './ulid.ts'
import { versionRecords } from './versions.ts'

const DAY = 86_400_000

let root: string
let db: Db
let storage: StorageDriver
let kept: KeptThings
let clock: { now: number; steady: number }
let upkeep: TrashUpkeep

beforeEach(async () => {
  ;({ root, db, storage, kept } = await openPlace())
  clock = { now: Date.now(), steady: 0 }
  upkeep = new TrashUpkeep({
    ...{ db, storage, kept, cluster: openLocalCluster(), dependents: NO_DEPENDENTS, isOnlyServer: true },
    audit: { async record() {} },
    log: { error() {} },
    keep: { days: 30, share: 100, least: DAY, spare: 0 },
    versions: { mode: 'smart', days: 365, share: 100, most: 200 },
    now: () => clock.now,
    steady: () => clock.steady,
  })
})

async function deleted(name: string, deletedAt = Date.now() - 1000): Promise<void> {
  await writeFile(join(root, name), name)
  const id = ulid(deletedAt)
  const { at, was, place } = await kept.plan(parsePath(`/${name}`), id)
  const { identity, size, modified, mode } = was
  const about = { identity, size, modified, mode, isFolder: false, userId: 1, username: 'anna', deletedAt }
  await trashRecords(db).begin({ id, at, place, ...about })
  await kept.setAside(place, { at, was }, { id, username: 'anna', deletedAt })
  await trashRecords(db).kept(id)
}

const count = async () => (await trashRecords(db).sums({ under: [parsePath('/')] }))[0]?.count ?? 0
const codes = async () => (await historyFindings({ db, kept })).map(({ code, amount }) => [code, amount])
const area = async () => join(root, (await readdir(root)).find(name => name.startsWith('.filigree-')) ?? '')

test('after a jump of the clock nothing expires, until it is confirmed', async () => {
  await deleted('a.txt', Date.now() - 29 * DAY)
  await upkeep.expire()
  clock = { now: clock.now + 3 * DAY, steady: 3_600_000 }
  await upkeep.expire()
  expect(await count()).toBe(1)
  expect(await codes()).toEqual([['clockJumped', undefined]])
  clock = { now: clock.now + 3_600_000, steady: 7_200_000 }
  await upkeep.expire()
  expect(await count()).toBe(1)
  expect(await confirmClock(db)).toBe(true)
  await upkeep.expire()
  expect([await count(), await codes()]).toEqual([0, []])
})

test('after a jump of the clock a write makes no room, until it is confirmed', async () => {
  await deleted('a.txt', Date.now() - 2 * DAY)
  const { area: areaAt } = kept
  kept.area = async home => (there => there && { ...there, total: 1000, free: 10 })(await areaAt(home))
  const write = { place: parsePath('/x'), bytes: 12, total: 1000 }
  await upkeep.expire()
  clock = { now: clock.now + 3 * DAY, steady: 3_600_000 }
  await upkeep.expire()
  await upkeep.makeRoom(write)
  expect(await count()).toBe(1)
  await confirmClock(db)
  await upkeep.makeRoom(write)
  expect(await count()).toBe(0)
})

test.each([
  ['a server that was off for days', { now: 10 * DAY, steady: 0 }, undefined, 0, false],
  ['a clock that was set backwards over a restart', { now: 10 * DAY, steady: 0 }, undefined, 13 * DAY, true],
  ['a run an hour later', { now: 1 * DAY, steady: DAY }, { now: 0, steady: 0 }, 0, false],
  ['a clock that was set forwards', { now: 9 * DAY, steady: DAY }, { now: 0, steady: 0 }, 0, true],
])('%s is a jump, or none', (_title, moment, before, lastRun, isJump) => {
  expect(hasJumped(moment, before, lastRun)).toBe(isJump)
})

test('an unsafe area, an unavailable one, and items without records are findings', async () => {
  await deleted('a.txt')
  await deleted('b.txt')
  const place = await area()
  await writeFile(join(place, 'trash/files/stray'), 'stray')
  await upkeep.expire()
  expect(await codes()).toEqual([['keptUnknown', 1]])
  await chmod(place, 0o777)
  const [unsafe, away] = await historyFindings({ db, kept })
  expect(unsafe).toMatchObject({ code: 'areaUnsafe', what: place })
  expect(away).toMatchObject({ code: 'areaAway', what: '/', amount: 2 })
  await chmod(place, 0o700)
  const [name = ''] = (await readdir(join(place, 'trash/files'))).filter(found => found.startsWith('a'))
  await rename(join(place, 'trash/files', name), join(root, 'a.txt'))
  await upkeep.expire()
  expect(await codes()).toEqual([
    ['keptLost', 1],
    ['keptUnknown', 1],
  ])
})

test('items deleted for lack of room in the last day are a finding', async () => {
  await deleted('a.txt', Date.now() - 2 * DAY)
  const { area: areaAt } = kept
  kept.area = async home => (there => there && { ...there, total: 1000, free: 10 })(await areaAt(home))
  await upkeep.makeRoom({ place: parsePath('/x'), bytes: 12, total: 1000 })
  expect(await codes()).toEqual([['roomShort', 1]])
  await db
    .updateTable('kept')
    .set({ gone_at: Date.now() - DAY - 1000 })
    .execute()
  expect(await codes()).toEqual([])
})

/** Replaces a file. @param copy the identity of the kept file, where it is a copy instead of a hard link */
async function replaced(name: string, copy?: string): Promise<void> {
  await writeFile(join(root, name), name)
  const id = ulid()
  const whose = { userId: 1, username: 'anna', replacedAt: Date.now(), reason: 'save' as const }
  const begin = ({ at, was, place, identity }: ReplacedFile) => {
    const { size, modified, mode } = was
    const file = { identity: copy ?? identity, was: was.identity, size, modified, mode }
    return versionRecords(db).begin({ id, at, place, ...file, ...whose })
  }
  const keep = { id, username: 'anna', mayCopy: 0, kept: begin }
  const now = await publish(storage, parsePath(`/${name}`), Readable.from([Buffer.from('new')]), { keep })
  await versionRecords(db).done(id, { ...now, place: now.canonical })
}

test('versions that are copies are a finding, hard links are none', async () => {
  await replaced('linked.txt')
  expect(await codes()).toEqual([])
  await replaced('copied.txt', 'of a copy')
  expect(await codes()).toEqual([['linksMissing', 1]])
})
