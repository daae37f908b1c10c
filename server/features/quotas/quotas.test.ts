import { link, mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { placeInRoot } from '../../../shared/places.ts'
import { addGroup, addMember, changeGroupQuota } from '../groups/groups.ts'
import { listMeters } from './meters.store.ts'
import { body, codes, KIB, p, put, QuotaPlace } from './test-place.ts'

const place = new QuotaPlace()

test('QTA-01 of uploads at once exactly those are taken that fit, with and without a length', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const own = await place.filesOf(ann)
  const whole = Array.from({ length: 20 }, (_, number) => put(own, `/f${number}`, KIB))
  expect(await codes(whole)).toEqual([...Array(10).fill('ok'), ...Array(10).fill('quota_exceeded')])
  await place.expectTrue('/ann')
  await place.limit(ann, { bytes: 20 * KIB })
  const more = await place.filesOf(ann)
  const streamed = Array.from({ length: 20 }, (_, number) =>
    more.write(p(`/s${number}`), body(KIB), { override: false }),
  )
  expect(await codes(streamed)).toEqual([...Array(10).fill('ok'), ...Array(10).fill('quota_exceeded')])
  await place.expectTrue('/ann')
})

test('QTA-03 an overwrite counts the difference, and a refused one nothing', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const own = await place.filesOf(ann)
  await put(own, '/a', 8 * KIB)
  await put(own, '/a', 9 * KIB, true)
  await put(own, '/a', 9 * KIB, true)
  await put(own, '/a', 2 * KIB, true)
  await place.expectTrue('/ann')
  expect(await codes([put(own, '/a', 11 * KIB, true), put(own, '/a', KIB)])).toEqual(['exists', 'quota_exceeded'])
  const wrong = own.write(p('/a'), body(KIB), { override: true, length: KIB, ifMatch: 'other' })
  expect(await codes([wrong])).toEqual(['precondition_failed'])
  await own.transfers.withFreeName(p('/a'), free => put(own, free, KIB))
  await place.expectTrue('/ann')
  const overwrites = Array.from({ length: 8 }, (_, index) => put(own, '/a', (index + 1) * KIB, true))
  await Promise.allSettled(overwrites)
  await place.expectTrue('/ann')
})

test('QTA-04 nothing is left reserved for a body that breaks off, lies about its length, or is given up', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const own = await place.filesOf(ann)
  const broken = new Readable({ read() {} })
  broken.push(Buffer.alloc(KIB))
  setTimeout(() => broken.destroy(new Error('gone')), 20)
  const wrong = [
    own.write(p('/b'), broken, { override: false, length: 5 * KIB }),
    own.write(p('/c'), body(2 * KIB), { override: false, length: KIB }),
    own.write(p('/d'), body(KIB), { override: false, length: 2 * KIB }),
  ]
  expect(await codes(wrong)).toEqual(['body_too_large', 'incomplete_body', 'incomplete_body'])
  await place.expectTrue('/ann')
  const staged = await own.writer.begin(p('/e'), { override: false, length: 9 * KIB })
  expect(await place.meter('/ann')).toMatchObject({ held: 9 * KIB })
  expect(await codes([put(own, '/f', 2 * KIB)])).toEqual(['quota_exceeded'])
  await own.writer.discard(staged)
  await place.expectTrue('/ann')
})

test('a resumable upload keeps its room across a restart, until it is published', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const staged = await (await place.filesOf(ann)).writer.begin(p('/a'), { override: false, length: 6 * KIB })
  await place.start()
  const own = await place.filesOf(ann)
  expect(await codes([put(own, '/b', 5 * KIB)])).toEqual(['quota_exceeded'])
  for await (const _ of own.writer.append(staged, 0, body(6 * KIB), { most: 6 * KIB }));
  expect(await place.meter('/ann')).toMatchObject({ bytes: 0, held: 6 * KIB })
  await own.writer.finish(p('/a'), staged, { override: false, length: 6 * KIB })
  await place.expectTrue('/ann')
})

test('QTA-01 copies of folders fit whole or are refused before the first byte', async () => {
  const ann = await place.user('ann')
  const own = await place.filesOf(ann)
  for (let number = 0; number < 60; number++) await writeFile(join(place.on('/ann'), `f${number}`), Buffer.alloc(50))
  await own.makeFolder(p('/copies'))
  await mkdir(place.on('/ann/many'))
  for (let number = 0; number < 60; number++)
    await writeFile(join(place.on('/ann/many'), `f${number}`), Buffer.alloc(50))
  await place.limit(ann, { bytes: 13_000 })
  await place.expectTrue('/ann')
  const copies = Array.from({ length: 6 }, async (_, number) =>
    (await place.filesOf(ann)).transfers.copy(p('/many'), p(`/copies/${number}`), { override: false, rename: false }),
  )
  expect(await codes(copies)).toEqual(['ok', 'ok', ...Array(4).fill('quota_exceeded')])
  await place.expectTrue('/ann')
  expect((await place.amount('/ann')).bytes).toBe(12_000)
})

test('what is moved between homes leaves one and counts in the other', async () => {
  const [ann, bob, root] = [await place.user('ann'), await place.user('bob'), await place.user('root', '/')]
  await place.limit(ann, { bytes: 10 * KIB })
  await place.limit(bob, { bytes: 3 * KIB })
  const all = await place.filesOf(root)
  await put(all, '/ann/d/a', 2 * KIB)
  await put(all, '/ann/d/b', KIB)
  await put(all, '/free', 50 * KIB)
  const move = (from: string, to: string) => all.transfers.move(p(from), p(to), { override: false, rename: false })
  await move('/ann/d', '/bob/d')
  for (const home of ['/ann', '/bob']) await place.expectTrue(home)
  expect(await place.meter('/bob')).toMatchObject({ bytes: 3 * KIB })
  expect(await codes([move('/free', '/bob/free'), put(all, '/bob/x', 1)])).toEqual(['quota_exceeded', 'quota_exceeded'])
  await all.remove(p('/bob/d'))
  for (const home of ['/ann', '/bob']) await place.expectTrue(home)
})

test('QTA-05 nested homes count a file each once, and each user meets the own limit in a shared home', async () => {
  const [team, ann, bob] = [
    await place.user('team'),
    await place.user('ann', '/team/ann'),
    await place.user('bob', '/team'),
  ]
  await place.limit(team, { bytes: 100 * KIB })
  await place.limit(ann, { bytes: 10 * KIB })
  await put(await place.filesOf(ann), '/a', 5 * KIB)
  await put(await place.filesOf(bob), '/b', 90 * KIB)
  for (const home of ['/team', '/team/ann']) await place.expectTrue(home)
  expect(await place.meter('/team')).toMatchObject({ bytes: 95 * KIB })
  await put(await place.filesOf(bob), '/c', 20 * KIB)
  expect(await codes([put(await place.filesOf(team), '/d', KIB)])).toEqual(['quota_exceeded'])
  expect(await codes([put(await place.filesOf(ann), '/d', KIB)])).toEqual(['ok'])
})

test('QTA-06 a limit under what is there deletes nothing, and refuses only what grows', async () => {
  const ann = await place.user('ann')
  const group = await addGroup(place, { name: 'staff', description: '', perm: ALL_PERMISSIONS, rules: [] })
  await addMember(place, group.id, ann)
  await changeGroupQuota(place, group.id, { bytes: 8 * KIB })
  await put(await place.filesOf(ann), '/a', 4 * KIB)
  await put(await place.filesOf(ann), '/b', 4 * KIB)
  expect(await codes([put(await place.filesOf(ann), '/c', 1)])).toEqual(['quota_exceeded'])
  await place.limit(ann, { bytes: KIB })
  expect(await codes([put(await place.filesOf(ann), '/c', 1), put(await place.filesOf(ann), '/a', KIB, true)])).toEqual(
    ['ok', 'quota_exceeded'],
  )
  await (await place.filesOf(ann)).remove(p('/b'))
  await place.expectTrue('/ann')
  await place.limit(ann, { bytes: 0 })
  expect(await codes([put(await place.filesOf(ann), '/e', 0), put(await place.filesOf(ann), '/d', 1)])).toEqual([
    'ok',
    'quota_exceeded',
  ])
  await place.limit(ann, { bytes: -1 })
  expect(await codes([put(await place.filesOf(ann), '/c', 50 * KIB)])).toEqual(['ok'])
  expect(await listMeters(place.db)).toEqual([])
  await place.limit(ann, { bytes: null })
  expect(await codes([put(await place.filesOf(ann), '/d', 50 * KIB)])).toEqual(['quota_exceeded'])
  await changeGroupQuota(place, group.id, { bytes: 200 * KIB })
  expect(await codes([put(await place.filesOf(ann), '/d', 50 * KIB)])).toEqual(['ok'])
})

test('QTA-07 a count finds what other programs did', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  await writeFile(place.on('/ann/outside'), Buffer.alloc(3 * KIB))
  expect(await place.meter('/ann')).toMatchObject({ bytes: 0 })
  expect(await place.recount('/ann')).toBe(true)
  await place.expectTrue('/ann')
})

test('QTA-07 a count takes logical sizes and each name of a file, and follows no link', async () => {
  const ann = await place.user('ann')
  const home = place.on('/ann')
  await mkdir(join(home, 'd'))
  await writeFile(join(home, 'd/a'), Buffer.alloc(KIB))
  await link(join(home, 'd/a'), join(home, 'b'))
  await symlink('../d', join(home, 'd/loop'))
  await writeFile(join(home, 'sparse'), '')
  await truncate(join(home, 'sparse'), 2 ** 40)
  await place.limit(ann, { bytes: 2 ** 41 })
  expect(await place.meter('/ann')).toMatchObject({ bytes: 2 ** 40 + 2 * KIB, state: 'exact' })
})

test('QTA-09 empty files and folders are taken as long as their number fits, folders made on the way included', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { items: 5 })
  const own = await place.filesOf(ann)
  await own.makeFolder(p('/a'))
  await put(own, '/b/c/empty', 0)
  const more = [own.makeFolder(p('/x')), put(own, '/y', 0), own.makeFolder(p('/z'))]
  expect(await codes(more)).toEqual(['ok', 'quota_exceeded', 'quota_exceeded'])
  expect(await codes([put(own, '/b/c/empty', KIB, true), own.makeFolder(p('/a/b'))])).toEqual(['ok', 'quota_exceeded'])
  await place.expectTrue('/ann')
  await own.remove(p('/b'))
  expect(await codes([put(own, '/n1/n2/n3', 0), put(own, '/late', 0)])).toEqual(['ok', 'quota_exceeded'])
  await place.expectTrue('/ann')
})

test('QTA-09 of folders made at once exactly those are taken that fit', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { items: 10 })
  const own = await place.filesOf(ann)
  const made = Array.from({ length: 20 }, (_, number) => own.makeFolder(p(`/d${number}`)))
  expect(await codes(made)).toEqual([...Array(10).fill('ok'), ...Array(10).fill('quota_exceeded')])
  await place.expectTrue('/ann')
})

test('QTA-09 files that make the same folder at once count it once', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { items: 100 })
  const own = await place.filesOf(ann)
  await Promise.all(Array.from({ length: 20 }, (_, number) => put(own, `/same/inner/${number}`, 1)))
  await place.expectTrue('/ann')
  expect(await place.meter('/ann')).toMatchObject({ items: 22 })
})

test('QTA-09 a copy of more items than fit is refused as a whole, and a move within the home is free', async () => {
  const ann = await place.user('ann')
  const own = await place.filesOf(ann)
  for (let number = 0; number < 4; number++) await put(own, `/four/${number}`, 0)
  await place.limit(ann, { items: 9 })
  const limited = await place.filesOf(ann)
  const how = { override: false, rename: false }
  expect(await codes([limited.transfers.copy(p('/four'), p('/copy'), how)])).toEqual(['quota_exceeded'])
  await place.expectTrue('/ann')
  await place.limit(ann, { items: 10 })
  const larger = await place.filesOf(ann)
  await larger.transfers.copy(p('/four'), p('/copy'), how)
  await larger.transfers.move(p('/copy'), p('/four/within'), how)
  await place.expectTrue('/ann')
  expect(await place.meter('/ann')).toMatchObject({ items: 10, state: 'exact' })
})

test('QTA-08 a change that could not be settled stays reserved, until its folder was counted', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const own = await place.filesOf(ann)
  const begin = place.db.transaction.bind(place.db)
  let begun = 0
  const failing = vi.spyOn(place.db, 'transaction').mockImplementation(() => {
    begun += 1
    if (begun === 2) throw new Error('the database is away')
    return begin()
  })
  await put(own, '/a', 4 * KIB)
  failing.mockRestore()
  expect(place.errors).toHaveLength(1)
  expect(await place.meter('/ann')).toMatchObject({ bytes: 0, held: 4 * KIB })
  expect(await codes([put(own, '/b', 7 * KIB)])).toEqual(['quota_exceeded'])
  await place.start()
  await place.expectTrue('/ann')
})

test('QTA-05 what is in a further root counts in no home, also not in one that is the whole first root', async () => {
  const boss = await place.user('boss', '/')
  await place.limit(boss, { bytes: 10 * KIB })
  const metering = place.quotas.for(await place.acting(boss))
  await metering.ready()
  expect(metering.over(p('/a'))).toHaveLength(1)
  expect(metering.over(placeInRoot({ root: 'media', path: p('/a') }))).toEqual([])
})

test('QTA-02 what a killed process reserved stays until its folder was counted', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 10 * KIB })
  const own = await place.filesOf(ann)
  await put(own, '/a', 2 * KIB)
  const killed = place.quotas.for(await place.acting(ann))
  await killed.begin().take(killed.over(p('/ann/b')), { bytes: 5 * KIB, items: 1 })
  await writeFile(place.on('/ann/b'), Buffer.alloc(5 * KIB))
  expect(await place.meter('/ann')).toMatchObject({ bytes: 2 * KIB, held: 5 * KIB })
  await place.start()
  await place.expectTrue('/ann')
  expect(await place.meter('/ann')).toMatchObject({ state: 'exact' })
})

test('nested removals at once never leave a meter below what there is', async () => {
  const ann = await place.user('ann')
  await place.limit(ann, { bytes: 100 * KIB })
  const own = await place.filesOf(ann)
  for (let number = 0; number < 20; number++) await put(own, `/d/e/f${number}`, KIB)
  await put(own, '/stays', KIB)
  const removals = ['/d/e/f1', '/d/e', '/d', '/d/e/f2', '/d/e/f3'].map(path => own.remove(p(path)))
  await Promise.allSettled(removals)
  expect((await place.meter('/ann')).bytes).toBeGreaterThanOrEqual((await place.amount('/ann')).bytes)
  await place.quotas.counting.wake()
  await place.expectTrue('/ann')
})

test('without any quota nothing is written, and no folder is read', async () => {
  const ann = await place.user('ann')
  await put(await place.filesOf(ann), '/a', KIB)
  expect(await listMeters(place.db)).toEqual([])
  expect(place.errors).toEqual([])
})
