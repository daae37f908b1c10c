import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { stagingName } from '../../storage/local/temp-names.ts'
import { openLocal } from '../../storage/local.ts'
import { writeFile as writeStored } from '../../storage/write-file.ts'
import { OrphanCleanup } from './orphan-cleanup.ts'
import { insertUpload } from './uploads.store.ts'

const KEY = Buffer.from('a key for tests only')

let home: string
let root: string
let db: Db
let now: number
let cleanup: OrphanCleanup
let store: StorageDriver

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'orphan-cleanup-')))
  root = join(home, 'root')
  await mkdir(join(root, 'd'), { recursive: true })
  ;({ db } = await openDb(join(home, 'f.db')))
  now = Date.now() + 5000
  cleanup = new OrphanCleanup({
    db,
    isOnlyServer: true,
    log: { warn: (_what, text) => expect(text).toBe('') },
    now: () => now,
  })
  // Unfinished files then have names on every disk.
  store = await openLocal({ root, stagingKey: KEY, notes: cleanup, kernel: 'off' })
})

afterEach(async () => {
  await db.destroy()
  await rm(home, { recursive: true, force: true })
})

const look = () => cleanup.look({ ...store.cleanup, expire: async () => {} })
const places = async () => (await db.selectFrom('staging_places').select('place').execute()).map(row => row.place)
const inFolder = async () => (await readdir(join(root, 'd'))).sort()

test('UPL-12 unfinished files of an earlier process in a recorded place are removed, and no file of a user', async () => {
  const mine = stagingName(KEY)
  const theirs = stagingName(Buffer.from('another installation'))
  const link = stagingName(KEY)
  await writeFile(join(root, 'd', mine), 'half')
  await writeFile(join(root, 'd', theirs), 'stays')
  await writeFile(join(home, 'secret'), 'stays')
  await symlink(join(home, 'secret'), join(root, 'd', link))
  await mkdir(join(root, 'd', stagingName(KEY), 'inner'), { recursive: true })
  await cleanup.note(join(root, 'd'))
  await look()
  expect(await inFolder()).toEqual([theirs, link].sort())
  expect(await readdir(home)).toContain('secret')
})

test('the file of an unfinished upload stays', async () => {
  const name = stagingName(KEY)
  await writeFile(join(root, 'd', name), 'half')
  const row = { id: 'u', user_id: 1, scope: '.', path: '/d/f', staged: `/d/${name}`, length: 9, offset: 4, override: 0 }
  const rest = {
    if_match: null,
    modified: null,
    checksum: null,
    unmodified_since: null,
    link: null,
    created_at: now,
    expires_at: now,
  }
  await insertUpload(db, { ...row, ...rest })
  await cleanup.note(join(root, 'd'))
  await look()
  expect(await inFolder()).toEqual([name])
})

test('a file being written stays, however slowly its bytes arrive', async () => {
  const body = new PassThrough()
  const written = writeStored(store, parsePath('/d/slow'), body, {})
  body.write('begin')
  await expect.poll(inFolder).toHaveLength(1)
  now += 86_400_000
  await look()
  body.end(' end')
  expect((await written).size).toBe(9)
  expect(await places()).toEqual([join(root, 'd')])
})

test('an empty place is forgotten, and recorded again for the next unfinished file', async () => {
  await store.mkdir(parsePath('/e'))
  const write = () => writeStored(store, parsePath('/e/f'), new PassThrough().end('x'), {})
  await write()
  expect(await places()).toEqual([join(root, 'e')])
  now += 86_400_000
  await look()
  expect(await places()).toEqual([])
  await write()
  expect(await places()).toEqual([join(root, 'e')])
})

test('a place that became a symbolic link is not swept', async () => {
  await mkdir(join(home, 'outside'))
  const name = stagingName(KEY)
  await writeFile(join(home, 'outside', name), 'of another store')
  await cleanup.note(join(root, 'gone'))
  await symlink(join(home, 'outside'), join(root, 'gone'))
  await look()
  expect(await readdir(join(home, 'outside'))).toEqual([name])
})

describe('a folder that was created for a file which never arrived', () => {
  const killed = async (at = Date.now()) => {
    await db
      .insertInto('made_folders')
      .values([
        { folder: join(root, 'for'), noted_at: at },
        { folder: join(root, 'for/it'), noted_at: at },
      ])
      .execute()
    await mkdir(join(root, 'for/it'), { recursive: true })
    now += 60_000
    cleanup = new OrphanCleanup({
      db,
      isOnlyServer: true,
      log: { warn: (_what, text) => expect(text).toBe('') },
      now: () => now,
    })
  }
  const noted = async () => (await db.selectFrom('made_folders').selectAll().execute()).length

  test('is removed at the next start, with its parents created for it', async () => {
    await killed()
    await look()
    expect(await readdir(root)).toEqual(['d'])
    expect(await noted()).toBe(0)
  })

  test('stays when it is used, or when it is not the one that was created', async () => {
    await killed()
    await writeFile(join(root, 'for/it/own.txt'), 'x')
    await look()
    expect(await readdir(join(root, 'for/it'))).toEqual(['own.txt'])
    expect(await noted()).toBe(0)
    await rm(join(root, 'for/it/own.txt'))
    await killed(Date.now() - 3_600_000)
    await look()
    expect(await readdir(join(root, 'for'))).toEqual(['it'])
  })

  /** Counts what is recorded, and writes a file that arrives, or one that is refused when its folders exist. */
  const counting = async () => {
    const notes: (readonly string[])[] = []
    const recording = {
      note: (place: string) => cleanup.note(place),
      async noteFolders(folders: readonly string[]) {
        await cleanup.noteFolders(folders)
        notes.push(folders)
      },
      settleFolders: (folders: readonly string[]) => cleanup.settleFolders(folders),
    }
    const recorded = await openLocal({ root, stagingKey: KEY, notes: recording })
    const arrive = (path: string, how = {}) => writeStored(recorded, parsePath(path), new PassThrough().end('x'), how)
    return { notes, arrive, fail: (path: string) => arrive(path, { ifMatch: 'another' }) }
  }

  test('is recorded only until the file is complete, or has failed', async () => {
    const { notes, arrive, fail } = await counting()
    await expect(fail('/for/this/f')).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(notes.flat()).toEqual([join(root, 'for'), join(root, 'for/this')])
    expect([await noted(), await readdir(root)]).toEqual([0, ['d']])
    await arrive('/for/this/f')
    expect(await noted()).toBe(0)
  })

  test('is recorded with its new parents, and none of them stays when the file fails', async () => {
    const way = Array.from({ length: 500 }, () => 'n').join('/')
    const { notes, arrive, fail } = await counting()
    await expect(fail(`/${way}/f`)).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(notes.flat()).toHaveLength(500)
    expect([notes.length < 50, await noted(), await readdir(root)]).toEqual([true, 0, ['d']])
    await arrive(`/${way}/f`)
    expect([await noted(), await readFile(join(root, way, 'f'), 'utf8')]).toEqual([0, 'x'])
  })

  test('is no longer recorded when another process created it first', async () => {
    const both = await Promise.allSettled(
      ['a', 'b'].map(name => writeStored(store, parsePath(`/for/both/of/${name}`), new PassThrough().end(name), {})),
    )
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect([await noted(), await readdir(join(root, 'for/both/of'))]).toEqual([0, ['a', 'b']])
  })
})
