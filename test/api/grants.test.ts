import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Grant, ReceivedGrants } from '../../shared/api/grants.ts'
import { manager, perm, send } from './accounts.ts'
import { call, encode, json } from './client.ts'
import { uniqueName } from './harness.ts'
import { openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { newSharer, SHARER_RIGHTS } from './sharers.ts'
import { tusOf } from './tus.ts'

const server = await openInstance()
const admin = await manager(server)
const SHARED = '/Shared with me'
const VIEW = ['download']
const EDIT = ['download', 'create', 'rename', 'modify', 'delete']

type Sharer = Awaited<ReturnType<typeof newSharer>>

const give = (from: Sharer, path: string, to: object, rights = VIEW, more: object = {}) =>
  send(server, 'POST', '/api/grants', from.token, { path, to, rights, ...more })
const toUser = ({ id }: Sharer) => ({ kind: 'user', id: String(id) })
const received = async ({ token }: Sharer): Promise<ReceivedGrants> =>
  json(await send(server, 'GET', '/api/grants/received', token))
const namesIn = async ({ files }: Sharer, path: string) =>
  json(await files.get(path)).items.map(({ name }: { name: string }) => name)
const move = ({ token }: Sharer, action: 'copy' | 'rename', from: string, to: string) =>
  call(server, `/api/resources${encode(from)}?action=${action}&destination=${encodeURIComponent(encode(to))}`, {
    method: 'PATCH',
    token,
  })

async function groupOf(...users: Sharer[]): Promise<{ kind: 'group'; id: string }> {
  const group = json(
    await send(server, 'POST', '/api/groups', admin.token, {
      ...{ name: uniqueName('g'), description: '', perm: {}, rules: [] },
    }),
  )
  for (const { id } of users) await send(server, 'PUT', `/api/groups/${group.id}/members/${id}`, admin.token)
  return { kind: 'group', id: group.id }
}

const [giver, taker, stranger] = await Promise.all([1, 2, 3].map(() => newSharer(server, admin)))
if (!giver || !taker || !stranger) throw new Error('there are no users')
let folders = 0

/** What newcomers have, in a folder of its own in the home of a user. @returns its name */
async function newFolder({ home }: Sharer): Promise<string> {
  folders += 1
  const name = `docs-${folders}-of-${uniqueName('f')}`
  await mkdir(join(home, name, 'sub'), { recursive: true })
  for (const path of ['one.txt', 'sub/two.txt', '.dot']) await writeFile(join(home, name, path), path)
  return name
}

/** One user shares a new folder with another. */
async function pair(rights = VIEW, how: { to?: 'user' | 'group'; ann?: Sharer } = {}) {
  const { to = 'user', ann = giver as Sharer } = how
  const bob = taker as Sharer
  const name = await newFolder(ann)
  const answer = await give(ann, `/${name}`, to === 'user' ? toUser(bob) : await groupOf(ann, bob), rights)
  expect(answer.status).toBe(201)
  const grant: Grant = json(answer)
  return { ann, bob, grant, name, at: `${SHARED}/${name}`, disk: join(ann.home, name) }
}

describe('what is shared with a user or a group', () => {
  test.each(['user', 'group'] as const)('GRA-01 is in one folder of the recipient, given to a %s', async to => {
    const { ann, bob, grant, name, at } = await pair(VIEW, { to })
    expect(grant).toMatchObject({ path: `/${name}`, isDir: true, rights: VIEW, note: '', expires: null })
    const { folder, items } = await received(bob)
    expect(folder).toBe(SHARED)
    expect(items.find(({ path }) => path === at)).toMatchObject({ isDir: true, owner: ann.name, rights: VIEW })
    expect(await namesIn(bob, '/')).toContain('Shared with me')
    expect(await namesIn(bob, `${SHARED}/`)).toContain(name)
    const listing = json(await bob.files.get(`${at}/`))
    expect(listing.items.map(({ path }: { path: string }) => path).sort()).toEqual([
      ...[`${at}/.dot`, `${at}/one.txt`, `${at}/sub`],
    ])
    expect((await bob.files.raw(`${at}/sub/two.txt`)).text).toBe('sub/two.txt')
    expect(await namesIn(stranger, '/')).not.toContain('Shared with me')
    expect((await stranger.files.get(`${at}/`)).status).toBe(404)
    expect(await received(stranger)).toEqual({ folder: null, items: [] })
    expect(await namesIn(ann, '/')).not.toContain('Shared with me')
  })

  test('GRA-01 a file shows as a file, and nothing next to it opens', async () => {
    const name = `${await newFolder(giver)}`
    const file = `only-${name}.txt`
    await rename(join(giver.home, name, 'one.txt'), join(giver.home, name, file))
    expect((await give(giver, `/${name}/${file}`, toUser(taker), EDIT)).status).toBe(201)
    const at = `${SHARED}/${file}`
    expect(json(await taker.files.get(at))).toMatchObject({ name: file, path: at })
    for (const path of ['/sub', `/${file}/../sub`, `/${file}/x`, '/.dot'])
      expect((await taker.files.raw(SHARED + path)).status).toBeGreaterThanOrEqual(400)
    expect((await save(taker, at, 'changed')).status).toBe(200)
    expect(await readFile(join(giver.home, name, file), 'utf8')).toBe('changed')
    expect((await taker.files.raw(at)).text).toBe('changed')
    expect((await taker.files.remove(at)).status).toBe(403)
  })
})

const save = ({ token }: Sharer, path: string, body: string) =>
  call(server, `/api/resources${encode(path)}`, { method: 'PUT', token, body })

describe('GRA-01 what a grant allows', () => {
  type Act = (bob: Sharer, at: string) => Promise<{ status: number }>
  const attempts: Record<string, { needs: string; act: Act }> = {
    read: { needs: 'download', act: (bob, at) => bob.files.raw(`${at}/one.txt`) },
    checksum: { needs: 'download', act: (bob, at) => bob.files.get(`${at}/one.txt`, '?checksum=sha256') },
    zip: { needs: 'download', act: (bob, at) => bob.files.raw(at, '?algo=zip') },
    upload: { needs: 'create', act: (bob, at) => bob.files.put(`${at}/new.txt`, 'new') },
    folder: { needs: 'create', act: (bob, at) => bob.files.put(`${at}/folder/`) },
    copyIn: { needs: 'create', act: (bob, at) => move(bob, 'copy', '/a.txt', `${at}/copied.txt`) },
    copyOut: { needs: 'download', act: (bob, at) => move(bob, 'copy', `${at}/sub`, `/sub-of-${at.slice(16)}`) },
    rename: { needs: 'rename', act: (bob, at) => move(bob, 'rename', `${at}/sub`, `${at}/other`) },
    save: { needs: 'modify', act: (bob, at) => save(bob, `${at}/one.txt`, 'saved') },
    remove: { needs: 'delete', act: (bob, at) => bob.files.remove(`${at}/sub/two.txt`) },
  }

  test.each(Object.entries(attempts))('%s', async (_name, { needs, act }) => {
    const { ann, bob, at, grant } = await pair(EDIT.filter(right => right !== needs))
    expect((await act(bob, at)).status).toBe(403)
    await send(server, 'PATCH', `/api/grants/${grant.id}`, ann.token, { rights: EDIT })
    const kept = SHARER_RIGHTS.filter(right => right !== needs && !(needs === 'download' && right === 'share'))
    await admin.update(ann.id, ['perm'], { perm: perm(...kept) })
    // Without the right to download nothing is shared at all.
    expect((await act(bob, at)).status).toBeOneOf([403, 404])
    await admin.update(ann.id, ['perm'], { perm: perm(...SHARER_RIGHTS) })
    await send(server, 'PATCH', `/api/grants/${grant.id}`, ann.token, { rights: [needs] })
    expect((await act(bob, at)).status).toBeLessThan(300)
  })

  test('is not cut by what the recipient may do at home, and gives nothing there', async () => {
    const { bob, at, disk } = await pair(EDIT)
    await admin.update(bob.id, ['perm'], { perm: perm('download') })
    expect((await bob.files.put(`${at}/new.txt`, 'new')).status).toBe(200)
    expect((await bob.files.put('/new.txt', 'new')).status).toBe(403)
    expect(await readFile(join(disk, 'new.txt'), 'utf8')).toBe('new')
    await admin.update(bob.id, ['perm'], { perm: perm(...SHARER_RIGHTS) })
  })
})

describe('GRA-01 the edge of what is shared', () => {
  test('the folder of shared items is not written, moved, removed or replaced', async () => {
    const { bob, at, name } = await pair(EDIT)
    const statuses = await Promise.all([
      bob.files.put(`${SHARED}/new.txt`, 'x'),
      bob.files.put(`${SHARED}/folder/`),
      bob.files.remove(SHARED),
      bob.files.remove(at),
      move(bob, 'rename', SHARED, '/elsewhere'),
      move(bob, 'rename', at, '/docs-taken'),
      move(bob, 'rename', '/a.txt', `${SHARED}/a.txt`),
      move(bob, 'copy', SHARED, '/all'),
    ])
    expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 403))
    expect((await move(bob, 'rename', '/docs', SHARED)).status).toBe(409)
    expect((await bob.files.put(SHARED, 'a file of that name')).status).toBe(409)
    expect(await namesIn(bob, `${SHARED}/`)).toContain(name)
  })

  test('no link on the disk and no spelling of a path leads out of it', async () => {
    const { ann, bob, at, disk } = await pair(EDIT)
    await symlink('../a.txt', join(disk, 'out.txt'))
    await symlink('..', join(disk, 'up'))
    for (const path of ['out.txt', 'up/a.txt', '../a.txt', 'sub/../../a.txt', 'up/marker.txt']) {
      const answer = await call(server, `/api/raw${encode(at)}/${path}`, { token: bob.token })
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
    expect((await bob.files.put(`${at}/up/new.txt`, 'x')).status).toBeGreaterThanOrEqual(400)
    expect(existsSync(join(ann.home, 'new.txt'))).toBe(false)
  })

  test('what goes over it is copied, and leaves its place only if all of it has arrived', async () => {
    const { bob, at, disk } = await pair(EDIT)
    const own = await newFolder(bob)
    expect((await move(bob, 'rename', `${at}/sub`, `/${own}/taken`)).status).toBe(200)
    expect(await readFile(join(bob.home, own, 'taken/two.txt'), 'utf8')).toBe('sub/two.txt')
    expect(existsSync(join(disk, 'sub'))).toBe(false)
    expect((await move(bob, 'rename', `/${own}/sub`, `${at}/given`)).status).toBe(200)
    expect(await readFile(join(disk, 'given/two.txt'), 'utf8')).toBe('sub/two.txt')
    expect(existsSync(join(bob.home, own, 'sub'))).toBe(false)
    const items = [{ from: `${at}/given`, to: `/${own}/back` }]
    const job = await jobsOf(server, bob).run({ kind: 'copy', items })
    expect(job.items?.map(({ state }) => state)).toEqual(['done'])
    expect(await readFile(join(bob.home, own, 'back/two.txt'), 'utf8')).toBe('sub/two.txt')
  })

  test('a folder is not copied into itself by another of its paths', async () => {
    const { ann, bob, at, name } = await pair(EDIT)
    expect((await give(ann, `/${name}/sub`, toUser(bob), EDIT)).status).toBe(201)
    const inner = (await received(bob)).items.find(({ path }) => path.endsWith('/sub'))
    expect((await move(bob, 'copy', at, `${inner?.path}/again`)).status).toBe(400)
  })

  test('the owner’s path is in no response', async () => {
    const { ann, bob, grant, at } = await pair(EDIT)
    await bob.files.put(`${at}/new.txt`, 'new')
    const asked = await Promise.all([
      bob.files.get('/'),
      bob.files.get(`${SHARED}/`),
      bob.files.get(`${at}/`),
      bob.files.get(`${at}/one.txt`),
      call(server, `/api/search${encode(`${at}/`)}?query=two`, { token: bob.token }),
      call(server, `/api/resources/recursive${encode(`${at}/`)}`, { token: bob.token }),
      call(server, '/api/changes', { token: bob.token }),
      call(server, '/api/grants/received', { token: bob.token }),
    ])
    for (const { text, status } of asked) {
      expect(status).toBe(200)
      expect(text).not.toContain(ann.scope.slice(1))
    }
    expect(asked[4]?.text).toContain('two.txt')
    expect(asked[5]?.text).toContain(`${at}/sub/two.txt`)
    expect((await send(server, 'DELETE', `/api/grants/${grant.id}`, bob.token)).status).toBe(404)
  })

  test('a walk of the recipient’s own files does not lead into it', async () => {
    const { bob } = await pair(EDIT)
    const all = await call(server, '/api/resources/recursive/', { token: bob.token })
    expect(all.text).not.toContain(`${SHARED}/`)
    const found = await call(server, '/api/search/?query=one', { token: bob.token })
    expect(found.text).toContain('one.txt')
    expect(found.text).not.toContain('Shared')
  })
})

test('a resumable upload arrives in two parts, and leaves no trace when the grant has ended', async () => {
  const { ann, bob, grant, at, disk } = await pair(EDIT)
  const tus = tusOf(server, bob)
  expect((await tus.create(`${at}/large.bin`, 6)).status).toBe(201)
  expect((await tus.patch(`${at}/large.bin`, 0, 'abc')).status).toBe(204)
  expect((await tus.head(`${at}/large.bin`)).headers.get('upload-offset')).toBe('3')
  expect((await tus.patch(`${at}/large.bin`, 3, 'def')).status).toBe(204)
  expect(await readFile(join(disk, 'large.bin'), 'utf8')).toBe('abcdef')
  await tus.create(`${at}/second.bin`, 6)
  await tus.patch(`${at}/second.bin`, 0, 'abc')
  await send(server, 'DELETE', `/api/grants/${grant.id}`, ann.token)
  expect((await tus.patch(`${at}/second.bin`, 3, 'def')).status).toBeGreaterThanOrEqual(400)
  expect(existsSync(join(disk, 'second.bin'))).toBe(false)
})

describe('GRA-02 a grant is shut with the next request', () => {
  type There = Awaited<ReturnType<typeof pair>>
  const isShut = async ({ bob, at }: Pick<There, 'bob' | 'at'>) => {
    expect((await bob.files.get(`${at}/`)).status).toBeGreaterThanOrEqual(400)
    expect((await bob.files.raw(`${at}/one.txt`)).status).toBeGreaterThanOrEqual(400)
  }
  const hide = (path: string) => ({ rules: [{ regex: false, allow: false, path, regexp: null }] })
  const endings: [string, (there: There) => Promise<unknown>][] = [
    ['its owner ends it', ({ ann, grant }) => send(server, 'DELETE', `/api/grants/${grant.id}`, ann.token)],
    ['an administrator ends it', ({ grant }) => send(server, 'DELETE', `/api/grants/${grant.id}`, admin.token)],
    ['it is deleted', ({ ann, name }) => ann.files.remove(`/${name}`)],
    ['it is moved away', ({ ann, name }) => move(ann, 'rename', `/${name}`, `/${name}-moved`)],
    ['a rule hides it from its owner', ({ ann, name }) => admin.update(ann.id, ['rules'], hide(`/${name}`))],
  ]

  test.each(endings)('%s', async (_name, act) => {
    const there = await pair(EDIT)
    expect((await there.bob.files.get(`${there.at}/`)).status).toBe(200)
    await act(there)
    await isShut(there)
    await admin.update(there.ann.id, ['rules'], { rules: [] })
  })

  test('its owner may no longer share, or is removed', async () => {
    const there = await pair(EDIT, { ann: await newSharer(server, admin) })
    const { ann, bob, at } = there
    await admin.update(ann.id, ['perm'], { perm: perm('create', 'download') })
    await isShut(there)
    await admin.update(ann.id, ['perm'], { perm: perm('share', 'download') })
    expect((await bob.files.get(`${at}/`)).status).toBe(200)
    await admin.remove(ann.id)
    await isShut(there)
  })

  test('no newcomer of its name is shown instead; what comes back from the trash is', async () => {
    const there = await pair(EDIT)
    const { ann, bob, at, name } = there
    const id = (await ann.files.remove(`/${name}`)).headers.get('x-kept')
    await ann.files.put(`/${name}/one.txt`, 'a newcomer')
    await isShut(there)
    await ann.files.remove(`/${name}`, '?permanent=true')
    await send(server, 'POST', '/api/trash/restore', ann.token, { items: [{ id }] })
    expect((await bob.files.raw(`${at}/one.txt`)).text).toBe('one.txt')
  })

  test('it has ended, or the recipient leaves the group', async () => {
    const { ann, bob, at, grant } = await pair(VIEW, { to: 'group' })
    const change = { expires: new Date(Date.now() + 60_000).toISOString() }
    expect((await send(server, 'PATCH', `/api/grants/${grant.id}`, ann.token, change)).status).toBe(200)
    expect((await bob.files.get(`${at}/`)).status).toBe(200)
    await send(server, 'DELETE', `/api/groups/${grant.to.id}/members/${bob.id}`, admin.token)
    await isShut({ bob, at })
  })
})

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

test('the owner finds what a recipient changed, and the recipient takes it back', async () => {
  const { ann, bob, name, at, disk } = await pair(EDIT)
  await bob.files.remove(`${at}/sub`)
  const [change] = json(await call(server, `/api/changes?path=/${name}`, { token: ann.token })).items
  expect(change).toMatchObject({ kind: 'delete', user: bob.name })
  expect((await send(server, 'POST', `/api/changes/${change.id}/undo`, bob.token, {})).status).toBeLessThan(300)
  await expect.poll(() => existsSync(join(disk, 'sub/two.txt'))).toBe(true)
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
