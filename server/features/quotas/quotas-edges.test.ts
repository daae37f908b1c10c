import { link, mkdir, rename, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PassThrough, Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { addGroup, addMember, changeGroupQuota, removeMember } from '../groups/groups.ts'
import { UPLOAD_LIFETIME, Uploads } from '../uploads/uploads.ts'
import { recountAll } from './set-quota.ts'
import { codes, KIB, p, put, QuotaPlace } from './test-place.ts'

const place = new QuotaPlace()
const PLAIN = { override: false, rename: false }

test('QTA-03 an overwrite that is refused in the end, or breaks off, leaves the meter and the file as they were', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const own = await place.filesOf(ann)
  await put(own, '/a', 4 * KIB)
  const other = await own.info(p('/a'))
  const change = (how: object, bytes = 2 * KIB) =>
    own.write(p('/a'), Readable.from([Buffer.alloc(bytes, 'x')]), { override: true, ...how })
  const broken = new Readable({ read() {} })
  broken.push(Buffer.alloc(KIB))
  setTimeout(() => broken.destroy(new Error('gone')), 20)
  const refused = [
    change({ ifMatch: 'other' }),
    change({ unmodifiedSince: other.modified - 60_000 }),
    change({ length: 3 * KIB }),
    own.write(p('/a'), broken, { override: true, length: 2 * KIB }),
    change({}, 11 * KIB),
    put(own, '/a', 11 * KIB, true),
  ]
  expect(new Set(await codes(refused))).not.toContain('ok')
  await place.expectTrue('/ann')
  expect(await own.info(p('/a'))).toMatchObject({ size: 4 * KIB, identity: other.identity })
})

test('QTA-04 without an announced length nothing is left reserved, whether the body ends, breaks off or does not fit', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const own = await place.filesOf(ann)
  const [ends, breaks, floods] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const writes = Object.entries({ ends, breaks, floods }).map(([name, body]) =>
    own.write(p(`/${name}`), body, { override: false }),
  )
  for (const body of [ends, breaks, floods]) body.write(Buffer.alloc(KIB))
  await expect.poll(async () => (await place.meter('/ann')).held).toBeGreaterThanOrEqual(3 * KIB)
  ends.end()
  breaks.destroy(new Error('gone'))
  floods.end(Buffer.alloc(10 * KIB))
  const [one, two, three] = await Promise.allSettled(writes)
  expect([one?.status, two?.status]).toEqual(['fulfilled', 'rejected'])
  expect(three).toMatchObject({ status: 'rejected', reason: { code: 'quota_exceeded' } })
  await place.expectTrue('/ann')
  expect(await place.meter('/ann')).toMatchObject({ bytes: KIB, items: 1 })
})

test('QTA-04 an upload that expires gives its room back, whatever part of it has arrived', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const clock = { now: Date.now() }
  const deliveries = { arrived: async () => {}, gone: async () => {} }
  const uploads = new Uploads({ ...place, deliveries, now: () => clock.now })
  const user = await place.acting(ann)
  await uploads.create(user, p('/a'), { override: false, length: 4 * KIB })
  await uploads.create(user, p('/b'), { override: false, length: 5 * KIB })
  const chunk = { offset: 0, body: Readable.from([Buffer.alloc(KIB)]), length: KIB, received: () => KIB }
  await uploads.append({ user, path: p('/b') }, () => ({ ...chunk, signal: new AbortController().signal }))
  expect(await place.meter('/ann')).toMatchObject({ held: 9 * KIB, heldItems: 2 })
  expect(await codes([put(await place.filesOf(ann), '/c', 2 * KIB)])).toEqual(['quota_exceeded'])
  clock.now += UPLOAD_LIFETIME + 1
  await uploads.sweep()
  await place.expectTrue('/ann')
  expect(await codes([put(await place.filesOf(ann), '/c', 10 * KIB)])).toEqual(['ok'])
})

test('QTA-05 each of three nested homes counts each file once, through writes, copies, moves across them and removals', async () => {
  const homes = ['/team', '/team/ann', '/team/ann/inbox']
  const [team, ann, inbox] = await Promise.all(homes.map((home, index) => place.user(`user${index}`, home)))
  const same = await place.user('same', '/team/ann')
  for (const id of [team, ann, inbox, same]) await place.limit(id ?? 0, { bytes: 100 * KIB, items: 100 })
  const all = await place.filesOf(team ?? 0)
  await put(await place.filesOf(inbox ?? 0), '/a', 5 * KIB)
  await put(await place.filesOf(same), '/inbox/b', 3 * KIB)
  await put(all, '/ann/c', 2 * KIB)
  await put(all, '/d', KIB)
  await all.transfers.copy(p('/ann/inbox'), p('/copy'), PLAIN)
  await all.transfers.move(p('/copy'), p('/ann/inbox/copy'), PLAIN)
  await all.transfers.move(p('/ann/inbox/a'), p('/ann/a'), PLAIN)
  await (await place.filesOf(ann ?? 0)).remove(p('/c'))
  for (const home of homes) await place.expectTrue(home)
  const bytes = await Promise.all(homes.map(async home => (await place.meter(home)).bytes / KIB))
  expect(bytes).toEqual([17, 16, 11])
})

test('QTA-05 a file that is reached by a link into another home counts there, and nowhere else', async () => {
  const [ann, bob] = [await place.user('ann'), await place.user('bob')]
  const both = await place.user('both', '/')
  await mkdir(place.on('/bob/d'))
  await symlink('../bob/d', place.on('/ann/to-bob'))
  for (const id of [ann, bob]) await place.limit(id, { bytes: 10 * KIB })
  await put(await place.filesOf(both), '/ann/to-bob/a', 4 * KIB)
  expect(await place.meter('/bob')).toMatchObject({ bytes: 4 * KIB, items: 2 })
  expect(await place.meter('/ann')).toMatchObject({ bytes: 0, items: 0 })
  expect(await codes([put(await place.filesOf(both), '/ann/to-bob/b', 7 * KIB)])).toEqual(['quota_exceeded'])
})

test('QTA-06 under a limit that was lowered, what shrinks and what is deleted is taken, and what grows is refused', async () => {
  const ann = await place.user('ann')
  const own = async () => place.filesOf(ann)
  for (const name of ['a', 'b', 'c']) await put(await own(), `/${name}`, 4 * KIB)
  await place.limit(ann, { bytes: 5 * KIB, items: 2 })
  const before = await place.amount('/ann')
  const grows = [put(await own(), '/a', 5 * KIB, true), put(await own(), '/d', 0), (await own()).makeFolder(p('/e'))]
  expect(await codes(grows)).toEqual(Array(3).fill('quota_exceeded'))
  expect(await place.amount('/ann')).toEqual(before)
  const shrinks = [put(await own(), '/a', KIB, true), put(await own(), '/b', 4 * KIB, true)]
  expect(await codes(shrinks)).toEqual(['ok', 'ok'])
  await (await own()).transfers.move(p('/a'), p('/renamed'), PLAIN)
  await (await own()).remove(p('/c'))
  await place.expectTrue('/ann')
  expect(await place.meter('/ann')).toMatchObject({ bytes: 5 * KIB, items: 2 })
})

test('QTA-06 a new quota counts for all requests from then on, also while one of them reads it', async () => {
  const ann = await place.user('ann')
  const group = await addGroup(place, { name: 'staff', description: '', perm: NO_PERMISSIONS, rules: [] })
  await addMember(place, group.id, ann)
  for (const bytes of [0, -1, 10]) {
    await changeGroupQuota(place, group.id, { bytes })
    const all = await Promise.all(Array.from({ length: 10 }, () => place.filesOf(ann)))
    const outcome = bytes < 0 ? 'ok' : 'quota_exceeded'
    const writes = all.map((own, number) => put(own, `/${bytes}-${number}`, 20))
    expect(await codes(writes)).toEqual(Array(10).fill(outcome))
  }
})

test('QTA-06 a group whose quota changes in the middle of a write lets that one end, and counts from the next', async () => {
  const ann = await place.user('ann')
  const group = await addGroup(place, { name: 'staff', description: '', perm: NO_PERMISSIONS, rules: [] })
  await addMember(place, group.id, ann)
  await changeGroupQuota(place, group.id, { bytes: 10 * KIB })
  const own = await place.filesOf(ann)
  const streamed = new PassThrough()
  const writing = own.write(p('/streamed'), streamed, { override: false })
  streamed.write(Buffer.alloc(KIB))
  const staged = await own.writer.begin(p('/resumed'), { override: false, length: 4 * KIB })
  await expect.poll(async () => (await place.meter('/ann')).held).toBeGreaterThanOrEqual(5 * KIB)
  await changeGroupQuota(place, group.id, { bytes: KIB })
  streamed.end(Buffer.alloc(KIB))
  await writing
  const later = await place.filesOf(ann)
  for await (const _ of later.writer.append(staged, 0, Readable.from([Buffer.alloc(4 * KIB)]), { most: 4 * KIB }));
  await later.writer.finish(p('/resumed'), staged, { override: false, length: 4 * KIB })
  await place.expectTrue('/ann')
  expect(await codes([put(await place.filesOf(ann), '/more', 1)])).toEqual(['quota_exceeded'])
  await removeMember(place, group.id, ann)
  expect(await codes([put(await place.filesOf(ann), '/more', 20 * KIB)])).toEqual(['ok'])
})

test('QTA-07 what changes while a folder is counted is in the next count, and what came through the server in this one', async () => {
  const ann = await place.user('ann')
  const folders = Array.from({ length: 600 }, (_, number) => place.on(`/ann/d${number}`))
  for (const folder of folders) await mkdir(folder)
  await writeFile(join(folders[0] ?? '', 'a'), Buffer.alloc(KIB))
  await place.limit(ann, { bytes: 1000 * KIB })
  const own = await place.filesOf(ann)
  let isOver = false
  const counting = place.recount('/ann').finally(() => {
    isOver = true
  })
  for (let round = 0; !isOver; round += 1) {
    const folder = folders[round % folders.length] ?? ''
    await writeFile(join(folder, `outside${round}`), Buffer.alloc(round % 100))
    if (round % 3 === 0) await rename(join(folder, `outside${round}`), join(folder, `moved${round}`))
    else if (round % 5 === 1) await unlink(join(folder, `outside${round}`))
    if (round % 7 === 0) await put(own, `/d${round % folders.length}/own${round}`, 10)
  }
  await counting
  expect(await place.recount('/ann')).toBe(true)
  await place.expectTrue('/ann')
  expect(await place.meter('/ann')).toMatchObject({ state: 'exact' })
})

test('QTA-07 what is to be counted again while it is counted is, and what that count had passed is in the next', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const { counting } = place.quotas
  const count = counting.amountIn.bind(counting)
  vi.spyOn(counting, 'amountIn').mockImplementationOnce(async folder => {
    const amount = await count(folder)
    await writeFile(place.on('/ann/outside'), Buffer.alloc(KIB))
    await recountAll(place)
    return amount
  })
  await place.recount('/ann')
  await place.expectTrue('/ann')
  expect(await place.meter('/ann')).toMatchObject({ bytes: KIB, state: 'exact' })
})

test('QTA-07 a root that goes away while it is counted is not taken for empty', async () => {
  const ann = await place.user('ann')
  await writeFile(place.on('/ann/a'), Buffer.alloc(KIB))
  await place.limit(ann, { bytes: 10 * KIB })
  const { storage } = place
  const within = storage.within.bind(storage)
  const opening = vi.spyOn(storage, 'within').mockImplementationOnce(async folder => {
    const home = await within(folder)
    await rm(place.on('/ann'), { recursive: true })
    opening.mockRejectedValueOnce(new AppError('unavailable'))
    return home
  })
  await expect(place.recount('/ann')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await place.meter('/ann')).toMatchObject({ bytes: KIB })
})

test('QTA-07 a count takes each name of a file, and ends where links lead in a circle', async () => {
  const ann = await place.user('ann')
  await mkdir(place.on('/ann/d/e'), { recursive: true })
  await writeFile(place.on('/ann/d/a'), Buffer.alloc(KIB))
  for (const name of ['d/b', 'd/e/c', 'f']) await link(place.on('/ann/d/a'), place.on(`/ann/${name}`))
  for (const [to, at] of [
    ['..', 'd/up'],
    ['../..', 'd/e/top'],
    ['self', 'self'],
    ['two', 'one'],
    ['one', 'two'],
    ['/', 'root'],
  ] as const)
    await symlink(to, place.on(`/ann/${at}`))
  await writeFile(place.on('/ann/sparse'), '')
  await truncate(place.on('/ann/sparse'), 2 ** 40)
  await place.limit(ann, { bytes: 2 ** 41 })
  expect(await place.meter('/ann')).toMatchObject({ bytes: 2 ** 40 + 4 * KIB, items: 7, state: 'exact' })
})

test('QTA-08 where the database is locked while a change is settled, the file and its room stay, and it is settled later', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await place.start()
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const body = new PassThrough()
  const writing = (await place.filesOf(ann)).write(p('/a'), body, { override: false, length: 4 * KIB })
  await expect.poll(async () => (await place.meter('/ann')).held).toBe(4 * KIB)
  const other = new DatabaseSync(join(place.root, 'f.db'))
  onTestFinished(() => other.close())
  other.exec('begin immediate')
  body.end(Buffer.alloc(4 * KIB))
  await writing
  expect(place.errors).toHaveLength(1)
  expect(await place.amount('/ann')).toEqual({ bytes: 4 * KIB, items: 1 })
  expect(await place.meter('/ann')).toMatchObject({ bytes: 0, items: 0, held: 4 * KIB, heldItems: 1 })
  other.exec('rollback')
  expect(await codes([put(await place.filesOf(ann), '/b', 7 * KIB)])).toEqual(['quota_exceeded'])
  vi.advanceTimersByTime(LIMITS.quotaLost / 4)
  await expect.poll(() => place.meter('/ann')).toMatchObject({ bytes: 4 * KIB, held: 0, state: 'exact' })
  await place.expectTrue('/ann')
})
