import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { createFiles, type FilesService } from '../../files/service.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { openMemory } from '../../storage/memory.ts'
import { addUser, BLANK_USER, deleteUser, type StoredUser } from '../users/users.store.ts'
import { Shares } from './shares.ts'

let db: Db
let storage: StorageDriver
let files: FilesService
let shares: Shares
let ann: StoredUser
let bob: StoredUser
let admin: StoredUser

const p = parsePath
const FOREVER = { password: '', lifetime: 0 }
const OVER = { override: true, rename: false }
const write = (path: string, content = 'x') => storage.write(p(path), Readable.from([content]), {})
const person = (username: string, scope: string, isAdmin = false) =>
  addUser(db, { ...BLANK_USER, username, scope, passwordHash: '', perm: { ...ALL_PERMISSIONS, admin: isAdmin } })
const alive = async (hash: string) => (await shares.find(hash)) !== undefined

beforeEach(async () => {
  const home = await mkdtemp(join(tmpdir(), 'filigree-shares-'))
  ;({ db } = await openDb(join(home, 'f.db')))
  storage = openMemory()
  for (const path of ['/ann/a.txt', '/ann/docs/one.txt', '/ann/docs-2/x.txt', '/bob/a.txt']) await write(path)
  const cluster = openLocalCluster()
  files = createFiles({ storage, cluster, globalRules: async () => [] })
  shares = new Shares({ db, cluster, files })
  admin = await person('admin', '/', true)
  ann = await person('ann', '/ann')
  bob = await person('bob', '/bob')
  onTestFinished(async () => {
    await db.destroy()
    await rm(home, { recursive: true, force: true })
  })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('removing and renaming', () => {
  test('take the links below with them, and no others', async () => {
    const links = []
    for (const path of ['/docs', '/docs/one.txt', '/docs-2', '/a.txt']) {
      links.push((await shares.create(ann, p(path), true, FOREVER)).hash)
    }
    const other = await shares.create(bob, p('/a.txt'), false, FOREVER)
    await (await files.for(ann)).remove(p('/docs'))
    expect(await Promise.all(links.map(alive))).toEqual([false, false, true, true])
    await (await files.for(ann)).move(p('/a.txt'), p('/b.txt'), { override: false, rename: false })
    expect(await Promise.all(links.map(alive))).toEqual([false, false, true, false])
    expect(await alive(other.hash)).toBe(true)
  })

  test('count whoever does it, in whatever scope', async () => {
    const { hash } = await shares.create(ann, p('/docs/one.txt'), false, FOREVER)
    await (await files.for(admin)).remove(p('/ann/docs'))
    expect(await alive(hash)).toBe(false)
  })

  test('of a folder of everything takes all links with it', async () => {
    const { hash } = await shares.create(ann, p('/'), true, FOREVER)
    await (await files.for(admin)).remove(p('/ann'))
    expect(await alive(hash)).toBe(false)
  })
})

describe('replacing', () => {
  const identity = async (path: string) => (await storage.stat(p(path)))?.identity

  test('through us takes the link along, however often', async () => {
    const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    const own = await files.for(ann)
    const acts = [
      () => own.write(p('/a.txt'), Readable.from(['1']), { override: true }),
      () => own.save(p('/a.txt'), Readable.from(['2']), {}),
      () => own.copy(p('/docs/one.txt'), p('/a.txt'), OVER),
      () => own.move(p('/docs/one.txt'), p('/a.txt'), OVER),
    ]
    for (const act of acts) {
      await act()
      expect((await shares.find(hash))?.identity).toBe(await identity('/ann/a.txt'))
    }
  })

  test('behind our back does not', async () => {
    const { hash, identity: before } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    await write('/ann/a.txt', 'another')
    expect((await shares.find(hash))?.identity).toBe(before)
    await (await files.for(ann)).save(p('/a.txt'), Readable.from(['2']), {})
    expect((await shares.find(hash))?.identity).toBe(before)
  })
})

describe('ending', () => {
  test('SHR-09 a link ends when its time has come', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { hash } = await shares.create(ann, p('/a.txt'), false, { password: '', lifetime: 60 })
    vi.advanceTimersByTime(59_000)
    expect(await alive(hash)).toBe(true)
    vi.advanceTimersByTime(1_000)
    expect(await shares.list(ann)).toEqual([])
    expect(await alive(hash)).toBe(false)
  })

  test('links end with their owner', async () => {
    const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    await deleteUser(db, ann.id)
    expect(await alive(hash)).toBe(false)
    expect(await shares.list(admin)).toEqual([])
  })
})

test('SHR-06 names cannot be guessed and are never the same', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => shares.create(ann, p('/a.txt'), false, FOREVER)))
  const hashes = new Set(made.map(({ hash }) => hash))
  expect(hashes.size).toBe(50)
  for (const hash of hashes) expect(hash).toMatch(/^[\w-]{22}$/)
})

test('what is stored of a password is its hash', async () => {
  const { passwordHash } = await shares.create(ann, p('/a.txt'), false, { password: 'secret', lifetime: 0 })
  expect(passwordHash).toMatch(/^\$argon2id\$/)
})
