import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLocalCluster } from '../cluster/local.ts'
import { openDb } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openLocal } from '../storage/local.ts'
import { Scrub } from './scrub.ts'
import { lastRun } from './scrub-runs.store.ts'
import { isWithinHours, nextStart } from './scrub-window.ts'
import { dueSums } from './sums.store.ts'
import { Sums } from './sums.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const OLD = new Date('2020-01-01T00:00:00Z')
/** Not at night. */
const NOON = new Date(2026, 4, 1, 12).getTime()
const NIGHT = { from: 1, to: 6 }

let folder: string
let root: string
let db: Db
let storage: StorageDriver

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrub-'))
  root = join(folder, 'root')
  await mkdir(root)
  db = (await openDb(join(folder, 'filigree.db'))).db
  storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
})

afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true, force: true })
})

/** @param now when it is, or what says so */
function scrubOf(now: number | (() => number), hours = { from: 0, to: 0 }) {
  const clock = typeof now === 'number' ? () => now : now
  const quiet = { info() {}, warn() {}, error() {} }
  const sums = new Sums({ db, log: quiet, now: clock })
  const settings = { mode: 'weekly', hours, rate: 2 ** 40 } as const
  return new Scrub({ db, cluster: openLocalCluster(), storage, sums, log: quiet, settings, now: clock })
}

async function run(...how: Parameters<typeof scrubOf>) {
  const scrub = scrubOf(...how)
  const done = await scrub.run()
  await scrub.close()
  return done
}

async function files(...names: string[]) {
  for (const name of names) {
    await mkdir(join(root, name, '..'), { recursive: true })
    await writeFile(join(root, name), name)
    await utimes(join(root, name), OLD, OLD)
  }
}

const checkedFirst = async () => (await dueSums(db, Number.MAX_SAFE_INTEGER, undefined, 10)).map(({ place }) => place)

describe('a check of all files', () => {
  test('reads files that were never read, then those that were read longest ago', async () => {
    await files('a', 'deep/b')
    expect(await run(NOON)).toMatchObject({ files: 2, readFiles: 2, readBytes: 7, complete: true })
    await files('c')
    expect(await run(NOON + DAY)).toMatchObject({ files: 3, readFiles: 1 })
    expect(await checkedFirst()).toEqual(expect.arrayContaining(['/a', '/deep/b']))
    expect((await checkedFirst()).at(-1)).toBe('/c')
    expect(await run(NOON + 8 * DAY)).toMatchObject({ readFiles: 2 })
    expect((await checkedFirst())[0]).toBe('/c')
  })

  test('does not read a file again because it was moved, and finds it at its new place', async () => {
    await files('a')
    await run(NOON)
    await rename(join(root, 'a'), join(root, 'z'))
    expect(await run(NOON + DAY)).toMatchObject({ readFiles: 0 })
    expect(await run(NOON + 8 * DAY)).toMatchObject({ readFiles: 1, found: 0 })
    expect(await checkedFirst()).toEqual(['/z'])
  })

  test('reads the file to its end when the hours are over, and continues after it the next time', async () => {
    await files('a', 'b', 'c')
    const start = new Date(NOON).setHours(1)
    const scrub = scrubOf((): number => (scrub.read.files > 0 ? start + 6 * HOUR : start), NIGHT)
    const first = await scrub.run()
    await scrub.close()
    expect(first.complete).toBe(false)
    expect(first.readFiles).toBe(1)
    const second = await run(start + DAY, NIGHT)
    expect(second).toMatchObject({ complete: true, readFiles: 2 })
  })

  test('begins at the hours, and not again in the hours of a complete run', async () => {
    await files('a')
    const start = new Date(NOON).setHours(1)
    const scrub = scrubOf(NOON, NIGHT)
    expect(scrub.next(undefined)).toEqual(new Date(start + DAY))
    const done = await run(start, NIGHT)
    expect(await lastRun(db, { complete: true })).toEqual(done)
    expect(scrubOf(start + HOUR, NIGHT).next(done)).toEqual(new Date(start + DAY))
    expect(scrubOf(start + DAY, NIGHT).next(done)).toEqual(new Date(start + DAY))
  })
})

test('hours may pass midnight, and be the whole day', () => {
  const at = (hour: number) => new Date(2026, 4, 1, hour)
  expect([0, 6, 21, 22, 23].filter(hour => isWithinHours({ from: 22, to: 6 }, at(hour)))).toEqual([0, 22, 23])
  expect(isWithinHours({ from: 0, to: 0 }, at(13))).toBe(true)
  expect(nextStart({ from: 22, to: 6 }, at(7))).toEqual(at(22))
  expect(nextStart({ from: 1, to: 6 }, at(7))).toEqual(new Date(2026, 4, 2, 1))
})
