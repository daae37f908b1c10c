import { existsSync } from 'node:fs'
import { readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { perm, send } from './accounts.ts'
import { call, encode, json } from './client.ts'
import { uniqueName } from './harness.ts'
import { KEEPS_DELETED } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { newSharer, SHARER_RIGHTS } from './sharers.ts'
import { EDIT, openSharing, SHARED, type Sharer, VIEW } from './sharing.ts'
import { tusOf } from './tus.ts'

const { server, admin, give, toUser, received, namesIn, move, pair, newFolder, giver, taker, stranger } =
  await openSharing()

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

test('a search of contents finds what is in a shared folder, by the paths of the recipient, and nothing next to it', async () => {
  const { ann, bob, at, disk } = await pair(VIEW)
  const word = uniqueName('needle')
  await writeFile(join(disk, 'sub/deep.txt'), `a ${word}`)
  await writeFile(join(ann.home, 'own.txt'), `a ${word}`)
  const search = (path: string) =>
    call(server, `/api/search${encode(path)}?query=${encodeURIComponent(`content:${word}`)}`, { token: bob.token })
  const found = async () => json(await search(`${at}/`)).map((hit: { path: string }) => hit.path)
  await expect.poll(found, { timeout: 30_000 }).toEqual(['sub/deep.txt'])
  expect(json(await search('/'))).toEqual([])
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
    ['it leaves the files of its owner', ({ ann, name }) => move(admin, 'rename', `${ann.scope}/${name}`, `/${name}`)],
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

  test.runIf(KEEPS_DELETED)('no newcomer of its name is shown instead; what comes back from the trash is', async () => {
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
