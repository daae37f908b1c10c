import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Grant } from '../../shared/api/grants.ts'
import { GOOD_PASSWORD, perm, send } from './accounts.ts'
import { call, encode, json } from './client.ts'
import { KEEPS_DELETED } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { linkTo, load } from './links-client.ts'
import { newSharer, SHARER_RIGHTS } from './sharers.ts'
import { EDIT, openSharing, SHARED, VIEW } from './sharing.ts'

const { server, admin, give, toUser, received, namesIn, groupOf, move, pair, newFolder, giver, taker, stranger } =
  await openSharing()

describe('GRA-03 refused, and nothing is shared', () => {
  test('more than one may do, to oneself, to unknown users, twice, and without the right to share', async () => {
    const [ann, to] = [giver, toUser(taker)]
    const path = `/${await newFolder(ann)}`
    const status = async (...how: Parameters<typeof give>) => (await give(...how)).status
    await admin.update(ann.id, ['perm'], { perm: perm('share', 'download') })
    expect(await status(ann, path, to, EDIT)).toBe(403)
    await admin.update(ann.id, ['perm'], { perm: perm('download') })
    expect(await status(ann, path, to)).toBe(403)
    await admin.update(ann.id, ['perm'], { perm: perm(...SHARER_RIGHTS) })
    expect(await status(ann, path, toUser(ann))).toBe(400)
    expect(await status(ann, path, { kind: 'user', id: '999999' })).toBe(404)
    expect(await status(ann, path, { kind: 'group', id: 'everyone' })).toBe(404)
    expect(await status(ann, path, to, [])).toBe(400)
    expect(await status(ann, path, to, VIEW, { expires: '2001-01-01T00:00:00Z' })).toBe(400)
    expect(await status(ann, '/none', to)).toBe(404)
    expect(await status(ann, '/', to)).toBe(403)
    expect(await status({ ...ann, token: '' }, path, to)).toBe(401)
    expect((await received(taker)).items.map(item => item.path)).not.toContain(SHARED + path)
    expect(await status(ann, path, to)).toBe(201)
    expect(await status(ann, path, to)).toBe(409)
  })

  test('sharing on what others share, by a grant or a link', async () => {
    const { bob, at } = await pair(EDIT)
    expect((await give(bob, at, toUser(stranger))).status).toBe(403)
    expect((await give(bob, `${at}/sub`, toUser(stranger))).status).toBe(403)
    expect((await send(server, 'POST', `/api/share${encode(`${at}/sub`)}`, bob.token)).status).toBe(403)
  })

  test('what others share does not show behind a link to the whole home of a recipient', async () => {
    const { bob, at } = await pair(VIEW)
    const { hash } = json(await send(server, 'POST', '/api/share/', bob.token))
    const visit = (path: string) => call(server, `/api/public/${path.replace('~', hash)}`)
    const top = json(await visit('share/~/'))
    expect(top.items.map(({ name }: { name: string }) => name)).toContain('a.txt')
    expect(JSON.stringify(top)).not.toContain('Shared with me')
    expect((await visit(`dl/~${encode(`${at}/one.txt`)}`)).status).toBe(404)
    expect((await visit(`share/~${encode(`${at}/`)}`)).status).toBe(404)
    expect((await visit('dl/~/a.txt')).text).toBe('a.txt')
  })

  test('names are found by common groups, and by the whole name only beyond them', async () => {
    const [ann, near] = [await newSharer(server, admin), stranger]
    await groupOf(ann, near)
    const find = async (q: string) =>
      json(await send(server, 'GET', `/api/grants/people?q=${q}`, ann.token)).map(({ name }: { name: string }) => name)
    expect(await find(near.name.slice(0, -1))).toContain(near.name)
    expect(await find(taker.name.slice(0, -1))).not.toContain(taker.name)
    expect(await find(taker.name)).toContain(taker.name)
    expect(await find('')).toEqual([])
  })
})

describe('GRA-04 several things shared with one user', () => {
  test('of one name are entries of their own, and each opens its own', async () => {
    const [ann, carl, bob] = [giver, stranger, await newSharer(server, admin)]
    for (const from of [ann, carl]) {
      await mkdir(join(from.home, 'same'))
      await writeFile(join(from.home, 'same/one.txt'), `of ${from.name}`)
      expect((await give(from, '/same', toUser(bob))).status).toBe(201)
    }
    await mkdir(join(bob.home, 'same'))
    await writeFile(join(bob.home, 'same/one.txt'), 'own')
    expect(await namesIn(bob, `${SHARED}/`)).toEqual(['same', 'same(1)'])
    expect((await bob.files.raw(`${SHARED}/same/one.txt`)).text).toBe(`of ${ann.name}`)
    expect((await bob.files.raw(`${SHARED}/same(1)/one.txt`)).text).toBe(`of ${carl.name}`)
    expect((await bob.files.raw('/same/one.txt')).text).toBe('own')
    await ann.files.remove('/same')
    expect(await namesIn(bob, `${SHARED}/`)).toEqual(['same(1)'])
    await mkdir(join(bob.home, 'Shared with me'))
    await writeFile(join(bob.home, 'Shared with me/mine.txt'), 'mine')
    expect((await bob.files.raw(`${SHARED}/mine.txt`)).text).toBe('mine')
    expect(await received(bob)).toMatchObject({ folder: `${SHARED}(1)`, items: [{ path: `${SHARED}(1)/same(1)` }] })
  })

  test('what is shared twice is there once, with the rights of both, until the recipient leaves it', async () => {
    const { ann, bob, name, at } = await pair(VIEW)
    await give(ann, `/${name}`, await groupOf(ann, bob), ['create'])
    expect((await bob.files.put(`${at}/new.txt`, 'new')).status).toBe(200)
    const [thing, ...rest] = (await received(bob)).items.filter(({ path }) => path.startsWith(at))
    expect([thing?.rights.toSorted(), rest]).toEqual([['create', 'download'], []])
    const leave = async () => (await send(server, 'DELETE', `/api/grants/received/${thing?.id}`, bob.token)).status
    expect(await leave()).toBe(204)
    expect((await received(bob)).items.map(({ path }) => path)).not.toContain(at)
    expect((await bob.files.get(`${at}/`)).status).toBe(404)
    expect(await leave()).toBe(404)
  })
})

describe('a name of the recipient’s own', () => {
  test('is for the recipient only: the owner and other recipients keep theirs, and nothing is moved', async () => {
    const { ann, bob, name, at, disk } = await pair(VIEW)
    const twin = stranger
    expect((await give(ann, `/${name}`, toUser(twin))).status).toBe(201)
    const wanted = `${SHARED}/Trip of ${name}`
    expect((await move(bob, 'rename', at, wanted)).status).toBe(200)
    expect((await bob.files.raw(`${wanted}/sub/two.txt`)).text).toBe('sub/two.txt')
    expect((await bob.files.get(`${at}/`)).status).toBeGreaterThanOrEqual(400)
    expect((await received(bob)).items.map(({ path }) => path)).toContain(wanted)
    expect((await received(twin)).items.map(({ path }) => path)).toContain(at)
    expect(await namesIn(ann, '/')).toContain(name)
    expect(existsSync(join(disk, 'one.txt'))).toBe(true)
    const job = await jobsOf(server, bob).run({ kind: 'move', items: [{ from: wanted, to: at }] })
    expect(job.items?.map(({ state }) => state)).toEqual(['done'])
    expect((await bob.files.raw(`${at}/one.txt`)).text).toBe('one.txt')
  })

  test('is given through WebDAV as well', async () => {
    const { bob, at } = await pair(VIEW)
    const wanted = `${SHARED}/By WebDAV`
    const password = Buffer.from(`${bob.name}:${GOOD_PASSWORD}`).toString('base64')
    const headers = { Authorization: `Basic ${password}`, Destination: `/dav${encode(wanted)}` }
    expect((await call(server, `/dav${encode(at)}`, { method: 'MOVE', headers })).status).toBe(201)
    expect((await bob.files.raw(`${wanted}/one.txt`)).text).toBe('one.txt')
  })

  test('is none that another thing has, or that leads elsewhere', async () => {
    const [{ bob, at }, { at: other }] = [await pair(EDIT), await pair(EDIT)]
    const status = async (to: string, from = at) => (await move(bob, 'rename', from, to)).status
    expect(await namesIn(bob, `${SHARED}/`)).toEqual(expect.arrayContaining([at, other].map(path => path.slice(16))))
    expect(await status(other)).toBe(409)
    expect(await status(at)).toBe(409)
    for (const to of ['/docs/taken', `${other}/taken`, SHARED]) expect(await status(to)).toBeGreaterThanOrEqual(400)
    expect(await status(`${SHARED}/x`, `${at}/one.txt`)).toBe(403)
    expect(await status(`${SHARED}/x`, '/a.txt')).toBe(403)
    expect((await move(bob, 'copy', at, `${SHARED}/x`)).status).toBe(403)
    expect((await bob.files.get(`${at}/`)).status).toBe(200)
  })
})

test('a grant is changed, and the audit log has who shared what with whom', async () => {
  const { ann, bob, grant, name, at } = await pair(VIEW)
  const change = (body: object, token = ann.token) => send(server, 'PATCH', `/api/grants/${grant.id}`, token, body)
  expect(json(await change({ rights: EDIT, note: ' for you ' }))).toMatchObject({ rights: EDIT, note: 'for you' })
  expect((await bob.files.put(`${at}/new.txt`, 'new')).status).toBe(200)
  expect((await change({ rights: VIEW }, bob.token)).status).toBe(404)
  expect((await change({ rights: ['share'] })).status).toBe(400)
  const log = json(await call(server, '/api/audit?action=grant.add', { token: admin.token }))
  expect(log.rows[0]).toMatchObject({
    username: ann.name,
    path: `${ann.scope}/${name}`,
    target: `${name}: ${bob.name}`,
  })
  const all: Grant[] = json(await call(server, '/api/grants/all', { token: admin.token }))
  expect(all.find(({ id }) => id === grant.id)).toMatchObject({ owner: ann.name })
  expect((await call(server, '/api/grants/all', { token: ann.token })).status).toBe(403)
  const own: Grant[] = json(await send(server, 'GET', `/api/grants?path=/${name}`, ann.token))
  expect(own.map(({ id }) => id)).toEqual([grant.id])
})

test.runIf(KEEPS_DELETED)('the owner finds what a recipient changed, and the recipient takes it back', async () => {
  const { ann, bob, name, at, disk } = await pair(EDIT)
  await bob.files.remove(`${at}/sub`)
  const [change] = json(await call(server, `/api/changes?path=/${name}`, { token: ann.token })).items
  expect(change).toMatchObject({ kind: 'delete', user: bob.name })
  expect((await send(server, 'POST', `/api/changes/${change.id}/undo`, bob.token, {})).status).toBeLessThan(300)
  await expect.poll(() => existsSync(join(disk, 'sub/two.txt'))).toBe(true)
})

test('PUB-10 a shared folder that its owner moves stays shared, under the name that the recipient knows', async () => {
  const { ann, bob, name, at } = await pair(VIEW)
  expect((await bob.files.get(`${at}/`)).status).toBe(200)
  expect((await move(ann, 'rename', `/${name}`, `/docs-2/moved-${name}`)).status).toBe(200)
  await ann.files.put(`/${name}/one.txt`, 'newcomer')
  expect((await bob.files.raw(`${at}/one.txt`)).text).toBe('one.txt')
  expect((await bob.files.raw(`${at}/sub/two.txt`)).text).toBe('sub/two.txt')
})

test('PUB-10 a link to an item within what is shared follows it when a recipient moves it', async () => {
  const { ann, bob, name, at } = await pair(EDIT)
  const { hash } = await linkTo(server, ann.token, `/${name}/sub/two.txt`)
  expect((await move(bob, 'rename', `${at}/sub`, `${at}/other`)).status).toBe(200)
  expect((await load(server, hash)).text).toBe('sub/two.txt')
})

test('what another program puts in place of the shared folder is shown, if it is a folder', async () => {
  const { ann, bob, at, disk } = await pair(VIEW)
  await rename(disk, `${disk}-old`)
  expect((await bob.files.get(`${at}/`)).status).toBe(404)
  await rename(join(ann.home, 'docs-2'), disk)
  expect((await bob.files.raw(`${at}/x.txt`)).text).toBe('docs-2/x.txt')
})

test('without the right to share a user lists, finds, gives, changes and removes nothing', async () => {
  const { grant, name } = await pair(VIEW)
  const { token } = await newSharer(server, admin, { perm: perm('download') })
  const gift = { path: '/docs', to: toUser(stranger), rights: VIEW }
  for (const [method, path, body] of [
    ['GET', '/api/grants', undefined],
    ['GET', `/api/grants?path=/${name}`, undefined],
    ['GET', '/api/grants/people', undefined],
    ['POST', '/api/grants', gift],
    ['PATCH', `/api/grants/${grant.id}`, { rights: VIEW }],
    ['DELETE', `/api/grants/${grant.id}`, undefined],
  ] as const)
    expect([method, path, (await send(server, method, path, token, body)).status]).toEqual([method, path, 403])
})
