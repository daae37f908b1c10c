import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLocalCluster } from '../../server/cluster/local.ts'
import { openDb } from '../../server/db/open.ts'
import type { Db } from '../../server/db/schema.ts'
import { Scrub } from '../../server/integrity/scrub.ts'
import { findSums, listFindings } from '../../server/integrity/sums.store.ts'
import { Sums } from '../../server/integrity/sums.ts'
import { openLocal } from '../../server/storage/local.ts'
import { report } from './report.ts'
import { type RotDisk, rotDisk } from './rot-disk.ts'

const DAY = 86_400_000
const OLD = new Date('2020-01-01T00:00:00Z')

let home: string
let db: Db
let disk: RotDisk
/** Later runs are days later. */
let days = 0

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'scrub-'))
  db = (await openDb(join(home, 'filigree.db'))).db
  disk = await rotDisk(home)
})

afterEach(async () => {
  await db.destroy()
  disk.remove()
  await rm(home, { recursive: true, force: true })
})

/** A file that looks old, so that its checksum is recorded. */
async function write(name: string, content: string | Buffer): Promise<string> {
  const path = join(disk.folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  await utimes(path, OLD, OLD)
  return path
}

/** A run a week after the one before. @param more of its settings, and when it is */
async function scrub({ rate = 2 ** 40, hours = { from: 0, to: 0 }, pass = 8 } = {}) {
  days += pass
  const now = () => Date.now() + days * DAY
  const storage = await openLocal({ root: disk.folder, stagingKey: Buffer.from('a key for tests only') })
  const quiet = { info() {}, warn() {}, error() {} }
  const sums = new Sums({ db, log: quiet, now })
  const settings = { mode: 'weekly', hours, rate } as const
  const scrub = new Scrub({ db, cluster: openLocalCluster(), storage, sums, log: quiet, settings, now })
  const run = await scrub.run()
  await scrub.close()
  return run
}

const found = async () => (await listFindings(db, {}, 100)).map(({ kind, place, state }) => `${kind} ${place} ${state}`)

describe('SCRUB-01 a check of all files', () => {
  test('finds a byte that the disk has changed, and does not take the new content for the right one', async () => {
    if (!disk.mounted) return report('not covered here: a byte changed by the disk, since nothing can be mounted')
    const path = await write('deep/photo.raw', `the content of a photo ${'x'.repeat(5000)}`)
    await write('other.txt', 'another content')
    expect(await scrub()).toMatchObject({ complete: true, files: 2, readFiles: 2, found: 0 })
    expect(await scrub({ pass: 1 })).toMatchObject({ complete: true, files: 2, readFiles: 0 })
    const before = await stat(path, { bigint: true })
    await disk.flip('the content of a photo')
    expect(await readFile(path, 'utf8')).not.toContain('the content of a photo')
    const { ctimeNs, mtimeNs } = await stat(path, { bigint: true })
    expect({ ctimeNs, mtimeNs }).toEqual({ ctimeNs: before.ctimeNs, mtimeNs: before.mtimeNs })

    expect(await scrub()).toMatchObject({ complete: true, readFiles: 2, found: 1 })
    expect(await found()).toEqual(['rotten /deep/photo.raw open'])
    const [first] = await listFindings(db, {}, 1)
    expect(await scrub()).toMatchObject({ readFiles: 2, found: 0 })
    expect(await listFindings(db, {}, 2)).toEqual([first])
    const [known] = await findSums(db, [first?.identity ?? ''])
    expect(known?.sha256).toBe(first?.expected)
  })

  test('finds a content that was replaced with the old time set back, and no ordinary change', async () => {
    if (!disk.mounted)
      return report('not covered here: a changed content with its old time, since nothing can be mounted')
    const [quiet, usual] = [await write('quiet.txt', 'one content'), await write('usual.txt', 'one content')]
    await scrub()
    await writeFile(quiet, 'two content')
    await utimes(quiet, OLD, OLD)
    await writeFile(usual, 'two content')
    await utimes(usual, OLD, new Date('2021-01-01T00:00:00Z'))
    await scrub()
    expect(await found()).toEqual(['quiet /quiet.txt open'])
  })

  test('finds a file whose bytes the disk does not return, and reads the others', async () => {
    if (!disk.mounted) return report('not covered here: an unreadable file, since nothing can be mounted')
    await write('a.txt', 'a content')
    const path = await write('large.bin', Buffer.alloc(2 ** 20, 'many bytes '))
    await write('z.txt', 'a content')
    await disk.cutOff(path)
    expect(await scrub()).toMatchObject({ complete: true, found: 1 })
    expect(await found()).toEqual(['unreadable /large.bin open'])
  })
})
