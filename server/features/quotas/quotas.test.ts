import { link, mkdir, mkdtemp, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FilePath, parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { placeInRoot } from '../../../shared/places.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import type { Files } from '../../files/files.ts'
import { createFiles, type FilesService } from '../../files/files-service.ts'
import type { Amount } from '../../lib/amount.ts'
import { openFolder } from '../../storage/open-storage.ts'
import { findActingUser } from '../groups/acting-user.ts'
import { addGroup, addMember, changeGroupQuota } from '../groups/groups.ts'
import { addUser, BLANK_USER, setUserQuota } from '../users/users.store.ts'
import { findMeter, listMeters, meterId } from './meters.store.ts'
import { Quotas } from './quotas.ts'

const KIB = 1024
const cluster = openLocalCluster()
let root: string
let db: Db
let quotas: Quotas
let files: FilesService
let errors: unknown[]

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'filigree-quotas-'))
  db = (await openDb(join(root, 'f.db'))).db
  errors = []
  await start()
})
afterEach(async () => {
  await quotas.close()
  await db.destroy()
  await rm(root, { recursive: true })
})

/** As a server does. */
async function start(now: () => number = Date.now): Promise<void> {
  await quotas?.close().catch(() => {})
  await mkdir(join(root, 'srv'), { recursive: true })
  const storage = await openFolder(join(root, 'srv'), { stagingKey: Buffer.alloc(32) })
  const log = { info() {}, error: (facts: object) => void errors.push(facts) }
  quotas = new Quotas({ db, cluster, storage, isOnlyServer: true, log, now })
  files = createFiles({ storage, cluster, globalRules: async () => [], quotas })
  await quotas.counting.start()
}

async function user(username: string, scope = `/${username}`): Promise<number> {
  await mkdir(join(root, 'srv', scope), { recursive: true })
  return (await addUser(db, { ...BLANK_USER, username, scope, passwordHash: '', perm: ALL_PERMISSIONS })).id
}

async function filesOf(id: number): Promise<Files> {
  const acting = await findActingUser(db, id)
  if (!acting) throw new Error('the user is missing')
  return files.for(acting)
}

async function limit(id: number, bytes: number | null): Promise<void> {
  await setUserQuota(db, id, { bytes })
  cluster.publish('quotas.changed', {})
  await quotas.counting.wake()
}

const p = (path: string): FilePath => parsePath(path)
const body = (bytes: number) => Readable.from([Buffer.alloc(bytes)])
const put = (own: Files, path: string, bytes: number, override = false) =>
  own.write(p(path), body(bytes), { override, length: bytes })
const codes = async (all: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(all)).map(result => (result.status === 'rejected' ? result.reason.code : 'ok')).sort()

/** Bytes of the files below a folder, as the disk has them. */
const du = async (folder: string): Promise<number> => (await amountOnDisk(folder)).bytes

/** Bytes of the files below a folder, and the number of its files and folders, as the disk has them. */
async function amountOnDisk(folder: string): Promise<Amount> {
  const sum = { bytes: 0, items: 0 }
  for (const entry of await readdir(join(root, 'srv', folder), { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) sum.items += 1
    if (entry.isFile()) sum.bytes += (await stat(join(entry.parentPath, entry.name))).size
  }
  return sum
}

async function meter(folder: string) {
  const found = await findMeter(db, meterId(p(folder)))
  if (!found) throw new Error('there is no meter')
  const { used, held } = found
  return { ...found, ...used, held: held.bytes, heldItems: held.items }
}

async function recount(folder: string): Promise<boolean> {
  const found = await findMeter(db, meterId(p(folder)))
  return found !== undefined && quotas.counting.count(found)
}

async function expectTrue(folder: string): Promise<void> {
  expect(await meter(folder)).toMatchObject({ ...(await amountOnDisk(folder)), held: 0, heldItems: 0 })
}

test('QTA-01: of uploads at once exactly those are taken that fit, with and without a length', async () => {
  const ann = await user('ann')
  await limit(ann, 10 * KIB)
  const own = await filesOf(ann)
  const whole = Array.from({ length: 20 }, (_, number) => put(own, `/f${number}`, KIB))
  expect(await codes(whole)).toEqual([...Array(10).fill('ok'), ...Array(10).fill('quota_exceeded')])
  await expectTrue('/ann')
  await limit(ann, 20 * KIB)
  const more = await filesOf(ann)
  const streamed = Array.from({ length: 20 }, (_, number) =>
    more.write(p(`/s${number}`), body(KIB), { override: false }),
  )
  expect(await codes(streamed)).toEqual([...Array(10).fill('ok'), ...Array(10).fill('quota_exceeded')])
  await expectTrue('/ann')
})

test('QTA-03: an overwrite counts the difference, and a refused one nothing', async () => {
  const ann = await user('ann')
  await limit(ann, 10 * KIB)
  const own = await filesOf(ann)
  await put(own, '/a', 8 * KIB)
  await put(own, '/a', 9 * KIB, true)
  await put(own, '/a', 9 * KIB, true)
  await put(own, '/a', 2 * KIB, true)
  await expectTrue('/ann')
  expect(await codes([put(own, '/a', 11 * KIB, true), put(own, '/a', KIB)])).toEqual(['exists', 'quota_exceeded'])
  const wrong = own.write(p('/a'), body(KIB), { override: true, length: KIB, ifMatch: 'other' })
  expect(await codes([wrong])).toEqual(['precondition_failed'])
  await own.transfers.withFreeName(p('/a'), free => put(own, free, KIB))
  await expectTrue('/ann')
  const overwrites = Array.from({ length: 8 }, (_, index) => put(own, '/a', (index + 1) * KIB, true))
  await Promise.allSettled(overwrites)
  await expectTrue('/ann')
})

test('QTA-04: nothing is left reserved for a body that breaks off, lies about its length, or is given up', async () => {
  const ann = await user('ann')
  await limit(ann, 10 * KIB)
  const own = await filesOf(ann)
  const broken = new Readable({ read() {} })
  broken.push(Buffer.alloc(KIB))
  setTimeout(() => broken.destroy(new Error('gone')), 20)
  const wrong = [
    own.write(p('/b'), broken, { override: false, length: 5 * KIB }),
    own.write(p('/c'), body(2 * KIB), { override: false, length: KIB }),
    own.write(p('/d'), body(KIB), { override: false, length: 2 * KIB }),
  ]
  expect(await codes(wrong)).toEqual(['body_too_large', 'incomplete_body', 'incomplete_body'])
  await expectTrue('/ann')
  const staged = await own.writer.begin(p('/e'), { override: false, length: 9 * KIB })
  expect(await meter('/ann')).toMatchObject({ held: 9 * KIB })
  expect(await codes([put(own, '/f', 2 * KIB)])).toEqual(['quota_exceeded'])
  await own.writer.discard(staged)
  await expectTrue('/ann')
})

test('a resumable upload keeps its room across a restart, until it is published', async () => {
  const ann = await user('ann')
  await limit(ann, 10 * KIB)
  const staged = await (await filesOf(ann)).writer.begin(p('/a'), { override: false, length: 6 * KIB })
  await start()
  const own = await filesOf(ann)
  expect(await codes([put(own, '/b', 5 * KIB)])).toEqual(['quota_exceeded'])
  for await (const _ of own.writer.append(staged, 0, body(6 * KIB), { most: 6 * KIB }));
  expect(await meter('/ann')).toMatchObject({ bytes: 0, held: 6 * KIB })
  await own.writer.finish(p('/a'), staged, { override: false, length: 6 * KIB })
  await expectTrue('/ann')
})

test('QTA-01: copies of folders fit whole or are refused before the first byte', async () => {
  const ann = await user('ann')
  const own = await filesOf(ann)
  for (let number = 0; number < 60; number++) await writeFile(join(root, 'srv/ann', `f${number}`), Buffer.alloc(50))
  await own.makeFolder(p('/copies'))
  await mkdir(join(root, 'srv/ann/many'))
  for (let number = 0; number < 60; number++)
    await writeFile(join(root, 'srv/ann/many', `f${number}`), Buffer.alloc(50))
  await limit(ann, 13_000)
  await expectTrue('/ann')
  const copies = Array.from({ length: 6 }, async (_, number) =>
    (await filesOf(ann)).transfers.copy(p('/many'), p(`/copies/${number}`), { override: false, rename: false }),
  )
  expect(await codes(copies)).toEqual(['ok', 'ok', ...Array(4).fill('quota_exceeded')])
  await expectTrue('/ann')
  expect(await du('/ann')).toBe(12_000)
})

test('what is moved between homes leaves one and counts in the other', async () => {
  const [ann, bob, root] = [await user('ann'), await user('bob'), await user('root', '/')]
  await limit(ann, 10 * KIB)
  await limit(bob, 3 * KIB)
  const all = await filesOf(root)
  await put(all, '/ann/d/a', 2 * KIB)
  await put(all, '/ann/d/b', KIB)
  await put(all, '/free', 50 * KIB)
  const move = (from: string, to: string) => all.transfers.move(p(from), p(to), { override: false, rename: false })
  await move('/ann/d', '/bob/d')
  for (const home of ['/ann', '/bob']) await expectTrue(home)
  expect(await meter('/bob')).toMatchObject({ bytes: 3 * KIB })
  expect(await codes([move('/free', '/bob/free'), put(all, '/bob/x', 1)])).toEqual(['quota_exceeded', 'quota_exceeded'])
  await all.remove(p('/bob/d'))
  for (const home of ['/ann', '/bob']) await expectTrue(home)
})

test('QTA-05: nested homes count a file each once, and each user meets the own limit in a shared home', async () => {
  const [team, ann, bob] = [await user('team'), await user('ann', '/team/ann'), await user('bob', '/team')]
  await limit(team, 100 * KIB)
  await limit(ann, 10 * KIB)
  await put(await filesOf(ann), '/a', 5 * KIB)
  await put(await filesOf(bob), '/b', 90 * KIB)
  for (const home of ['/team', '/team/ann']) await expectTrue(home)
  expect(await meter('/team')).toMatchObject({ bytes: 95 * KIB })
  await put(await filesOf(bob), '/c', 20 * KIB)
  expect(await codes([put(await filesOf(team), '/d', KIB)])).toEqual(['quota_exceeded'])
  expect(await codes([put(await filesOf(ann), '/d', KIB)])).toEqual(['ok'])
})

test('QTA-06: a limit under what is there deletes nothing, and refuses only what grows', async () => {
  const ann = await user('ann')
  const group = await addGroup({ db, cluster }, { name: 'staff', description: '', perm: ALL_PERMISSIONS, rules: [] })
  await addMember({ db, cluster }, group.id, ann)
  await changeGroupQuota({ db, cluster }, group.id, { bytes: 8 * KIB })
  await put(await filesOf(ann), '/a', 4 * KIB)
  await put(await filesOf(ann), '/b', 4 * KIB)
  expect(await codes([put(await filesOf(ann), '/c', 1)])).toEqual(['quota_exceeded'])
  await limit(ann, KIB)
  expect(await codes([put(await filesOf(ann), '/c', 1), put(await filesOf(ann), '/a', KIB, true)])).toEqual([
    'ok',
    'quota_exceeded',
  ])
  await (await filesOf(ann)).remove(p('/b'))
  await expectTrue('/ann')
  await limit(ann, 0)
  expect(await codes([put(await filesOf(ann), '/e', 0), put(await filesOf(ann), '/d', 1)])).toEqual([
    'ok',
    'quota_exceeded',
  ])
  await limit(ann, -1)
  expect(await codes([put(await filesOf(ann), '/c', 50 * KIB)])).toEqual(['ok'])
  expect(await listMeters(db)).toEqual([])
  await limit(ann, null)
  expect(await codes([put(await filesOf(ann), '/d', 50 * KIB)])).toEqual(['quota_exceeded'])
  await changeGroupQuota({ db, cluster }, group.id, { bytes: 200 * KIB })
  expect(await codes([put(await filesOf(ann), '/d', 50 * KIB)])).toEqual(['ok'])
})

test('QTA-07: a count finds what other programs did', async () => {
  const ann = await user('ann')
  await limit(ann, 10 * KIB)
  await writeFile(join(root, 'srv/ann/outside'), Buffer.alloc(3 * KIB))
  expect(await meter('/ann')).toMatchObject({ bytes: 0 })
  expect(await recount('/ann')).toBe(true)
  await expectTrue('/ann')
})

test('QTA-07: a count takes logical sizes and each name of a file, and follows no link', async () => {
  const ann = await user('ann')
  const home = join(root, 'srv/ann')
  await mkdir(join(home, 'd'))
  await writeFile(join(home, 'd/a'), Buffer.alloc(KIB))
  await link(join(home, 'd/a'), join(home, 'b'))
  await symlink('../d', join(home, 'd/loop'))
  await writeFile(join(home, 'sparse'), '')
  await truncate(join(home, 'sparse'), 2 ** 40)
  await limit(ann, 2 ** 41)
  expect(await meter('/ann')).toMatchObject({ bytes: 2 ** 40 + 2 * KIB, state: 'exact' })
})

async function limitItems(id: number, items: number | null): Promise<void> {
  await setUserQuota(db, id, { items })
  cluster.publish('quotas.changed', {})
  await quotas.counting.wake()
}

test('QTA-09: empty files and folders are taken as long as their number fits, folders made on the way included', async () => {
  const ann = await user('ann')
  await limitItems(ann, 5)
  const own = await filesOf(ann)
  await own.makeFolder(p('/a'))
  await put(own, '/b/c/empty', 0)
  const more = [own.makeFolder(p('/x')), put(own, '/y', 0), own.makeFolder(p('/z'))]
  expect(await codes(more)).toEqual(['ok', 'quota_exceeded', 'quota_exceeded'])
  expect(await codes([put(own, '/b/c/empty', KIB, true), own.makeFolder(p('/a/b'))])).toEqual(['ok', 'quota_exceeded'])
  await expectTrue('/ann')
  await own.remove(p('/b'))
  expect(await codes([put(own, '/n1/n2/n3', 0), put(own, '/late', 0)])).toEqual(['ok', 'quota_exceeded'])
  await expectTrue('/ann')
})

test('QTA-09: of folders made at once exactly those are taken that fit', async () => {
  const ann = await user('ann')
  await limitItems(ann, 10)
  const own = await filesOf(ann)
  const made = Array.from({ length: 20 }, (_, number) => own.makeFolder(p(`/d${number}`)))
  expect(await codes(made)).toEqual([...Array(10).fill('ok'), ...Array(10).fill('quota_exceeded')])
  await expectTrue('/ann')
})

test('QTA-09: files that make the same folder at once count it once', async () => {
  const ann = await user('ann')
  await limitItems(ann, 100)
  const own = await filesOf(ann)
  await Promise.all(Array.from({ length: 20 }, (_, number) => put(own, `/same/inner/${number}`, 1)))
  await expectTrue('/ann')
  expect(await meter('/ann')).toMatchObject({ items: 22 })
})

test('QTA-09: a copy of more items than fit is refused as a whole, and a move within the home is free', async () => {
  const ann = await user('ann')
  const own = await filesOf(ann)
  for (let number = 0; number < 4; number++) await put(own, `/four/${number}`, 0)
  await limitItems(ann, 9)
  const limited = await filesOf(ann)
  const how = { override: false, rename: false }
  expect(await codes([limited.transfers.copy(p('/four'), p('/copy'), how)])).toEqual(['quota_exceeded'])
  await expectTrue('/ann')
  await limitItems(ann, 10)
  const larger = await filesOf(ann)
  await larger.transfers.copy(p('/four'), p('/copy'), how)
  await larger.transfers.move(p('/copy'), p('/four/within'), how)
  await expectTrue('/ann')
  expect(await meter('/ann')).toMatchObject({ items: 10, state: 'exact' })
})

test('QTA-08: a change that could not be settled stays reserved, until its folder was counted', async () => {
  const ann = await user('ann')
  await limit(ann, 10 * KIB)
  const own = await filesOf(ann)
  const begin = db.transaction.bind(db)
  let begun = 0
  const failing = vi.spyOn(db, 'transaction').mockImplementation(() => {
    begun += 1
    if (begun === 2) throw new Error('the database is away')
    return begin()
  })
  await put(own, '/a', 4 * KIB)
  failing.mockRestore()
  expect(errors).toHaveLength(1)
  expect(await meter('/ann')).toMatchObject({ bytes: 0, held: 4 * KIB })
  expect(await codes([put(own, '/b', 7 * KIB)])).toEqual(['quota_exceeded'])
  await start()
  await expectTrue('/ann')
})

test('what is in a further root counts in no home, also not in one that is the whole first root', async () => {
  const boss = await user('boss', '/')
  await limit(boss, 10 * KIB)
  const acting = await findActingUser(db, boss)
  const metering = acting && quotas.for(acting)
  await metering?.ready()
  expect(metering?.over(p('/a'))).toHaveLength(1)
  expect(metering?.over(placeInRoot({ root: 'media', path: p('/a') }))).toEqual([])
})

test('QTA-02: what a killed process reserved stays until its folder was counted', async () => {
  const ann = await user('ann')
  await limit(ann, 10 * KIB)
  const own = await filesOf(ann)
  await put(own, '/a', 2 * KIB)
  const acting = await findActingUser(db, ann)
  const killed = acting && quotas.for(acting)
  await killed?.begin().take(killed.over(p('/ann/b')), { bytes: 5 * KIB, items: 1 })
  await writeFile(join(root, 'srv/ann/b'), Buffer.alloc(5 * KIB))
  expect(await meter('/ann')).toMatchObject({ bytes: 2 * KIB, held: 5 * KIB })
  await start()
  await expectTrue('/ann')
  expect(await meter('/ann')).toMatchObject({ state: 'exact' })
})

test('nested removals at once never leave a meter below what there is', async () => {
  const ann = await user('ann')
  await limit(ann, 100 * KIB)
  const own = await filesOf(ann)
  for (let number = 0; number < 20; number++) await put(own, `/d/e/f${number}`, KIB)
  await put(own, '/stays', KIB)
  const removals = ['/d/e/f1', '/d/e', '/d', '/d/e/f2', '/d/e/f3'].map(path => own.remove(p(path)))
  await Promise.allSettled(removals)
  expect((await meter('/ann')).bytes).toBeGreaterThanOrEqual(await du('/ann'))
  await quotas.counting.wake()
  await expectTrue('/ann')
})

test('without any quota nothing is written, and no folder is read', async () => {
  const ann = await user('ann')
  await put(await filesOf(ann), '/a', KIB)
  expect(await listMeters(db)).toEqual([])
  expect(errors).toEqual([])
})
