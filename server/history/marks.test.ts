import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { openDb } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { addUser, BLANK_USER } from '../features/users/users.store.ts'
import type { Files } from '../files/files.ts'
import { createFiles } from '../files/files-service.ts'
import type { MarkRecords } from '../files/mark-records.ts'
import { LIMITS } from '../limits.ts'
import { openMemory } from '../storage/memory.ts'
import { forgetObjects } from './marks.store.ts'
import { markRecords } from './marks.ts'
import { RecentWrites } from './recent-writes.ts'

const DAY = 86_400_000

let folder: string
let db: Db
let files: Files
let records: MarkRecords
let recent: RecentWrites
let userId: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marks-'))
  db = (await openDb(join(folder, 'filigree.db'))).db
  const user = await addUser(db, { ...BLANK_USER, username: 'anna', passwordHash: 'none', perm: ALL_PERMISSIONS })
  userId = user.id
  recent = new RecentWrites({ db, log: { error() {} } })
  records = markRecords(db, recent)
  const service = createFiles({
    storage: openMemory(),
    cluster: openLocalCluster(),
    globalRules: async () => [],
    marks: records,
  })
  files = await service.for({ ...user, scope: '.' })
})

afterEach(async () => {
  await recent.close()
  await db.destroy()
  await rm(folder, { recursive: true, force: true })
})

const p = parsePath
const write = (path: string) => files.write(p(path), Readable.from([Buffer.from(path)]), { override: true })
const placed = (name: string) => ({ identity: name, place: p(`/${name}`) })

describe('comments', () => {
  test('on an item end at a number, and make room for others when one is removed', async () => {
    const [object, author] = [await records.add(placed('a')), { id: userId, username: 'anna' }]
    const { id } = await records.addComment(object, author, 'first')
    for (let n = 1; n < LIMITS.itemComments; n += 1) await records.addComment(object, author, `${n}`)
    await expect(records.addComment(object, author, 'one more')).rejects.toMatchObject({ code: 'exists' })
    await records.removeComment(id)
    await records.addComment(object, author, 'one more')
    expect(await records.comments(object)).toHaveLength(LIMITS.itemComments)
    expect(await records.remarksIn(p('/'))).toMatchObject([
      { id: object, hasNote: false, comments: LIMITS.itemComments },
    ])
  })
})

describe('stars', () => {
  test('end at a number, and then make room for new ones where an item has not been found for long', async () => {
    for (let n = 0; n < LIMITS.stars; n += 1) await records.star(userId, await records.add(placed(`lost${n}`)))
    await write('/a.txt')
    await expect(files.stars.add(p('/a.txt'))).rejects.toMatchObject({ code: 'exists' })
    const long = { seen_at: Date.now() - LIMITS.starLost - DAY }
    await db.updateTable('objects').set(long).where('identity', '=', 'lost7').execute()
    await files.stars.add(p('/a.txt'))
    expect((await files.stars.list()).map(({ path }) => path)).toEqual(['/a.txt'])
    expect(await records.stars(userId)).toHaveLength(LIMITS.stars)
  })

  test('of one file that was known as two are one', async () => {
    const [first, second] = [await records.add(placed('one')), await records.add(placed('two'))]
    for (const object of [first, second]) await records.star(userId, object)
    await records.identify(first, { identity: 'two', place: p('/one') })
    expect(await records.stars(userId)).toMatchObject([{ id: first, identity: 'two', place: '/one' }])
  })
})

describe('tags', () => {
  const text = (name: string) => ({ name, colour: 'red' as const })
  const added = async (name: string) => (await records.addTag(userId, text(name))).id

  test('end at a number for each user, and for shared ones', async () => {
    for (let n = 0; n < LIMITS.tags; n += 1) await added(`tag ${n}`)
    await expect(added('more')).rejects.toMatchObject({ code: 'exists' })
    expect(await records.addTag(undefined, text('more'))).toMatchObject({ shared: true })
    await records.removeTag((await records.tags(userId)).find(({ shared }) => !shared)?.id ?? '')
    await added('more')
  })

  test('of one item end at a number, and nothing is set beyond it', async () => {
    const object = await records.add(placed('a'))
    const tags: string[] = []
    for (let n = 0; n <= LIMITS.itemTags; n += 1) tags.push(await added(`tag ${n}`))
    const [first = '', ...others] = tags
    expect(await records.setTags(userId, object, { add: others, remove: [] })).toHaveLength(LIMITS.itemTags)
    const change = records.setTags(userId, object, { add: [first], remove: [] })
    await expect(change).rejects.toMatchObject({ code: 'exists' })
    const swapped = await records.setTags(userId, object, { add: [first], remove: [others[0] ?? ''] })
    expect(swapped).toHaveLength(LIMITS.itemTags)
    expect(swapped).toContain(first)
  })

  test('of one file that was known as two are one list', async () => {
    const [first, second] = [await records.add(placed('one')), await records.add(placed('two'))]
    const [both, other] = [await added('both'), await added('other')]
    await records.setTags(userId, first, { add: [both], remove: [] })
    await records.setTags(userId, second, { add: [both, other], remove: [] })
    await records.identify(first, { identity: 'two', place: p('/one') })
    expect(await records.tagsIn(userId, p('/'))).toMatchObject([{ id: first, tags: [both, other] }])
  })

  test('list their items in pages', async () => {
    const tag = await added('many')
    for (let n = 0; n <= LIMITS.taggedPage; n += 1)
      await records.setTags(userId, await records.add(placed(`f${n}`)), { add: [tag], remove: [] })
    const page = await records.objectsWith(tag)
    expect(page).toHaveLength(LIMITS.taggedPage)
    expect(await records.objectsWith(tag, page.at(-1)?.id)).toMatchObject([{ identity: 'f0' }])
    expect((await files.tags.itemsWith(tag)).next).toBe(page.at(-1)?.id)
  })

  test('are found for a folder, not for the folders in it', async () => {
    const tag = await added('here')
    for (const place of ['/a', '/a/b', '/a/b/c', '/ab'])
      await records.setTags(userId, await records.add({ identity: place, place: p(place) }), { add: [tag], remove: [] })
    const identities = async (folder: string) =>
      (await records.tagsIn(userId, p(folder))).map(({ identity }) => identity).toSorted()
    expect(await identities('/')).toEqual(['/a', '/ab'])
    expect(await identities('/a')).toEqual(['/a/b'])
  })

  test('of a deleted user are deleted', async () => {
    await records.setTags(userId, await records.add(placed('a')), { add: [await added('gone')], remove: [] })
    await db.deleteFrom('users').execute()
    expect(await db.selectFrom('object_tags').selectAll().execute()).toEqual([])
  })
})

describe('recent files', () => {
  const note = (name: string) => records.opened(userId, placed(name))

  test('are the latest ones, up to a number', async () => {
    for (let n = 0; n < LIMITS.recents + 5; n += 1) note(`old${n}`)
    await recent.flush()
    await db.updateTable('recents').set({ opened_at: 1 }).execute()
    for (const name of ['a', 'b', 'old3']) note(name)
    const listed = await records.recent(userId)
    expect(listed).toHaveLength(LIMITS.recents)
    const latest = listed.filter(({ openedAt }) => openedAt !== 1).map(({ identity }) => identity)
    expect(latest.toSorted()).toEqual(['a', 'b', 'old3'])
  })

  test('have one entry for a file that was written several times', async () => {
    const place = p('/a.txt')
    const step = { kind: 'replace', place, isFolder: false } as const
    note('a.txt')
    recent.changed(userId, [{ ...step, was: 'a.txt', made: 'second' }])
    recent.changed(userId, [{ ...step, was: 'second', made: 'third' }])
    const [item, ...others] = await records.recent(userId)
    expect(item).toMatchObject({ identity: 'third', openedAt: expect.any(Number), changedAt: expect.any(Number) })
    expect(others).toEqual([])
  })

  test('of a deleted user are not written', async () => {
    note('a')
    await db.deleteFrom('users').execute()
    expect(await records.recent(userId)).toEqual([])
  })
})

test('objects to which nothing belongs are forgotten after a while', async () => {
  const [starred, unused] = [await records.add(placed('a')), await records.add(placed('b'))]
  const tagged = await records.add(placed('c'))
  const { id } = await records.addTag(userId, { name: 'kept', colour: 'red' })
  await records.setTags(userId, tagged, { add: [id], remove: [] })
  await records.star(userId, starred)
  await forgetObjects(db, Date.now() - DAY)
  expect(await records.objectOf('b')).toMatchObject({ id: unused })
  await forgetObjects(db, Date.now() + 1)
  expect(await records.objectOf('b')).toBeUndefined()
  expect(await records.objectOf('a')).toMatchObject({ id: starred })
  expect(await records.objectOf('c')).toMatchObject({ id: tagged })
})
