import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import type { AuditEvent } from '../../audit/audit.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { Files } from '../../files/files.ts'
import { createFiles, type FilesService } from '../../files/files-service.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { type MemoryNode, memoryFile, memoryFolder, memoryLink } from '../../storage/memory/tree.ts'
import { openMemory } from '../../storage/memory.ts'
import { writeFile } from '../../storage/write-file.ts'
import { addUser, BLANK_USER, deleteUser, type StoredUser } from '../users/users.store.ts'
import { endingLinks } from './ending.ts'
import { isTokenOf, tokenHash } from './share-token.ts'
import { updateShare } from './shares.store.ts'
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
const write = (path: string, content = 'x') => writeFile(storage, p(path), Readable.from([content]), {})
const person = (username: string, scope: string, isAdmin = false) =>
  addUser(db, { ...BLANK_USER, username, scope, passwordHash: '', perm: { ...ALL_PERMISSIONS, admin: isAdmin } })
const NOT_FOUND = { code: 'not_found' }
const REBOUND = { action: 'share.rebind', outcome: 'done', way: 'server', address: '' }

/** The entries of the audit log. */
const audited: AuditEvent[] = []
const audit = { record: async (event: AuditEvent) => void audited.push(event) }

const serviceOn = (store: StorageDriver) =>
  createFiles({
    ...{ storage: store, cluster: openLocalCluster(), globalRules: async () => [] },
    dependents: endingLinks(db),
  })

/** Serves another tree as the folder of ann. */
async function restart(children: Record<string, MemoryNode>): Promise<void> {
  storage = openMemory(memoryFolder({ ann: memoryFolder(children) }))
  files = serviceOn(storage)
  shares = new Shares({ db, files, audit })
}

/** Whether a link opens what is at its path now. */
async function opens(hash: string, server = shares, owner: StoredUser = ann): Promise<boolean> {
  const share = await server.find(hash)
  if (!share) return false
  const own = await files.for(owner)
  const found = await own.info(parsePath(share.path))
  return server.follow(share, found, own).then(
    link => link?.identity === found.identity,
    () => false,
  )
}

const alive = async (hash: string) => (await shares.find(hash)) !== undefined

beforeEach(async () => {
  const home = await mkdtemp(join(tmpdir(), 'filigree-shares-'))
  ;({ db } = await openDb(join(home, 'f.db')))
  storage = openMemory()
  for (const path of ['/ann/a.txt', '/ann/docs/one.txt', '/ann/docs-2/x.txt', '/bob/a.txt']) await write(path)
  audited.length = 0
  files = serviceOn(storage)
  shares = new Shares({ db, files, audit })
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

describe('removing and moving', () => {
  test('a removal ends the links below, and no others; a move takes them along', async () => {
    const links = []
    for (const path of ['/docs', '/docs/one.txt', '/docs-2', '/a.txt']) {
      links.push((await shares.create(ann, p(path), true, FOREVER)).hash)
    }
    const other = await shares.create(bob, p('/a.txt'), false, FOREVER)
    await (await files.for(ann)).remove(p('/docs'))
    expect(await Promise.all(links.map(alive))).toEqual([false, false, true, true])
    await (await files.for(ann)).transfers.move(p('/a.txt'), p('/b.txt'), { override: false, rename: false })
    expect(await Promise.all(links.map(alive))).toEqual([false, false, true, true])
    expect(await shares.find(links[3] ?? '')).toMatchObject({ path: '/b.txt/', canonical: '/ann/b.txt' })
    expect(await alive(other.hash)).toBe(true)
  })

  test('count by any user, in any scope', async () => {
    const { hash } = await shares.create(ann, p('/docs/one.txt'), false, FOREVER)
    await (await files.for(admin)).remove(p('/ann/docs'))
    expect(await alive(hash)).toBe(false)
  })

  test('of the root ends all links', async () => {
    const { hash } = await shares.create(ann, p('/'), true, FOREVER)
    await (await files.for(admin)).remove(p('/ann'))
    expect(await alive(hash)).toBe(false)
  })
})

describe('replacing', () => {
  const FORTY = Array.from({ length: 40 }, (_, index) => String(index))

  test('through this server keeps the link, repeatedly', async () => {
    const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    const own = await files.for(ann)
    const acts = [
      () => own.write(p('/a.txt'), Readable.from(['1']), { override: true }),
      () => own.save(p('/a.txt'), Readable.from(['2']), {}),
      () => own.transfers.copy(p('/docs/one.txt'), p('/a.txt'), OVER),
      () => own.transfers.move(p('/docs/one.txt'), p('/a.txt'), OVER),
    ]
    for (const act of acts) {
      await act()
      expect(await opens(hash)).toBe(true)
    }
  })

  test('by forty concurrent requests keeps the link', async () => {
    const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    const own = await files.for(ann)
    await Promise.all(FORTY.map(text => own.save(p('/a.txt'), Readable.from([text]), {})))
    expect(await opens(hash)).toBe(true)
  })

  test('by another program keeps the link, once for all servers, with an entry in the audit log', async () => {
    const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    await write('/ann/a.txt', 'another')
    const servers = [shares, new Shares({ db, files, audit })]
    expect(await Promise.all(servers.map(server => opens(hash, server)))).toEqual([true, true])
    expect(audited).toEqual([{ ...REBOUND, path: '/ann/a.txt', target: hash }])
    expect((await shares.find(hash))?.identity).toBe((await storage.stat(p('/ann/a.txt')))?.identity)
  })

  test('of a folder keeps the link', async () => {
    const { hash } = await shares.create(ann, p('/docs'), false, FOREVER)
    await storage.remove(p('/ann/docs'))
    await write('/ann/docs/two.txt')
    expect(await opens(hash)).toBe(true)
  })

  test('by an object of another kind suspends the link', async () => {
    const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    await storage.remove(p('/ann/a.txt'))
    await write('/ann/a.txt/private.txt')
    expect([await opens(hash), await alive(hash)]).toEqual([false, true])
    await storage.remove(p('/ann/a.txt'))
    await write('/ann/a.txt')
    expect(await opens(hash)).toBe(true)
  })

  test('by a symbolic link suspends the link', async () => {
    await restart({ a: memoryFile('a'), secret: memoryFile('secret') })
    const { hash } = await shares.create(ann, p('/a'), false, FOREVER)
    await restart({ a: memoryLink('secret'), secret: memoryFile('secret') })
    expect(await opens(hash)).toBe(false)
  })

  test('an entry of the same name in another owner’s folder gets no link', async () => {
    const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    const moved = { ...ann, scope: '/bob' }
    expect(await opens(hash, shares, moved)).toBe(false)
  })
})

describe('a new object, where the old one was removed through this server', () => {
  const recreate = async () => write('/ann/a.txt', 'newcomer')

  test('SHR-01 gets no link that was looked up before', async () => {
    const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    const asked = await shares.find(hash)
    const own = await files.for(ann)
    await own.remove(p('/a.txt'))
    await recreate()
    await expect(asked && shares.follow(asked, await own.info(p('/a.txt')), own)).rejects.toMatchObject(NOT_FOUND)
  })

  test('SHR-01 gets no link while the removal continues at another server', async () => {
    const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    const [removed, continues] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = serviceOn({
      ...storage,
      async within(folder, guard) {
        const store = await storage.within(folder, guard)
        const remove: StorageDriver['remove'] = async path => {
          await store.remove(path)
          removed.resolve()
          await continues.promise
        }
        return { ...store, remove }
      },
    })
    const removing = (await slow.for(admin)).remove(p('/ann/a.txt'))
    await removed.promise
    await recreate()
    expect([await opens(hash), await alive(hash)]).toEqual([false, true])
    continues.resolve()
    await removing
    expect(await alive(hash)).toBe(false)
  })

  test('SHR-01 gets no link when the server was killed during the removal', async () => {
    const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
    await endingLinks(db).leaving([p('/ann/a.txt')], async () => undefined)
    expect(await opens(hash)).toBe(true)
    await recreate()
    expect(await opens(hash)).toBe(false)
  })

  test('SHR-01 gets no link that was made by another name of the object', async () => {
    await restart({ docs: memoryFolder({ a: memoryFile('a') }), alias: memoryLink('docs') })
    const { hash } = await shares.create(ann, p('/alias/a'), false, FOREVER)
    await (await files.for(ann)).remove(p('/docs/a'))
    await write('/ann/docs/a', 'newcomer')
    expect(await alive(hash)).toBe(false)
  })

  test('SHR-01 gets no link that is being made concurrently', async () => {
    const making = new Shares({
      ...{ db, audit },
      files: {
        ...files,
        async for(actor) {
          const own = await files.for(actor)
          const shareable: typeof own.shareable = async path => {
            const standing = await Files.prototype.shareable.call(own, path)
            await own.remove(path)
            return standing
          }
          return Object.assign(own, { shareable })
        },
      },
    })
    await expect(making.create(ann, p('/a.txt'), false, FOREVER)).rejects.toMatchObject(NOT_FOUND)
    expect(await shares.list(ann)).toEqual([])
  })
})

test('a removal that fails leaves the links to the remaining objects as they were', async () => {
  const { hash } = await shares.create(ann, p('/docs/one.txt'), false, FOREVER)
  await (await files.for(ann)).save(p('/docs/one.txt'), Readable.from(['saved']), {})
  const failing = serviceOn({
    ...storage,
    within: async (folder, guard) => ({
      ...(await storage.within(folder, guard)),
      remove: () => Promise.reject(new AppError('unavailable')),
    }),
  })
  await expect((await failing.for(ann)).remove(p('/docs'))).rejects.toMatchObject({ code: 'unavailable' })
  await write('/ann/docs/one.txt', 'another')
  expect(await opens(hash)).toBe(true)
})

describe('ending', () => {
  test('SHR-09 a link ends when it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { hash } = await shares.create(ann, p('/a.txt'), false, { password: '', lifetime: 60 })
    vi.advanceTimersByTime(59_000)
    expect(await alive(hash)).toBe(true)
    vi.advanceTimersByTime(1_000)
    expect(await shares.list(ann)).toEqual([])
    expect(await alive(hash)).toBe(false)
  })

  test('links end with their owner’s account', async () => {
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

test('a password is stored as its hash', async () => {
  const { passwordHash } = await shares.create(ann, p('/a.txt'), false, { password: 'secret', lifetime: 0 })
  expect(passwordHash).toMatch(/^\$argon2id\$/)
})

test('the token of an imported link opens it until its password is changed or taken away, and not when only its end is', async () => {
  for (const [change, opens] of [
    [{ expire: 4_000_000_000 }, true],
    [{ password: 'another one' }, false],
    [{ password: null }, false],
  ] as const) {
    const { hash } = await shares.create(ann, p('/a.txt'), false, { password: 'first', lifetime: 0 })
    await db
      .updateTable('shares')
      .set({ token_hash: tokenHash('old token') })
      .where('hash', '=', hash)
      .execute()
    await shares.change(ann, hash, change)
    const share = await shares.find(hash)
    expect(share && isTokenOf(share, 'old token')).toBe(opens)
  }
})

test('a change of the end keeps a password that was set since the link was read', async () => {
  const { hash } = await shares.create(ann, p('/a.txt'), false, { password: 'first', lifetime: 0 })
  await db
    .updateTable('shares')
    .set({ token_hash: tokenHash('old token') })
    .execute()
  const [ended, locked] = await Promise.all([
    updateShare(db, hash, { expire: 4_000_000_000 }, 10),
    updateShare(db, hash, { passwordHash: 'second' }, 10),
  ])
  expect([ended?.expire, locked?.passwordHash]).toEqual([4_000_000_000, 'second'])
  expect(await shares.find(hash)).toMatchObject({ expire: 4_000_000_000, passwordHash: 'second', tokenHash: '' })
})

test('a link that expired or went to the trash since it was read is not changed', async () => {
  const { hash } = await shares.create(ann, p('/a.txt'), false, FOREVER)
  await db.updateTable('shares').set({ expire: 10 }).execute()
  expect(await updateShare(db, hash, { expire: 0 }, 10)).toBeUndefined()
  await db.updateTable('shares').set({ expire: 0, suspended: 'kept' }).execute()
  expect(await updateShare(db, hash, { passwordHash: '' }, 10)).toBeUndefined()
})
