import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mount } from '../../shared/api/mounts.ts'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, encode, json, type Person, person } from '../api/client.ts'
import { makeHome, type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { tusOf } from '../api/tus.ts'

const RIGHTS = ['create', 'delete', 'rename', 'modify', 'share', 'download'] as const
const EDIT = ['download', 'create', 'rename', 'modify', 'delete']
const REFUSED = [403, 'no_home']

let server: OwnServer
let admin: Manager
let media: string

beforeAll(async () => {
  const home = await makeHome()
  media = join(home, 'media')
  await mkdir(media)
  await writeFile(join(home, 'roots.json'), JSON.stringify({ roots: { media } }))
  server = await startServer({ home, args: ['--config', join(home, 'roots.json')] })
  admin = await manager(server)
})

afterAll(async () => {
  await server.stop()
})

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await send(server, method, path, admin.token, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.text === '' ? undefined : json(answer)
}

const setHome = (id: number, home: 'scope' | 'none') => ask('PUT', `/api/users/${id}/home`, { home })

/** A user with files, who had a home, and has only a mount now. */
async function homeless() {
  const scope = `/${uniqueName('home')}`
  const disk = join(server.root, scope)
  await mkdir(join(disk, 'docs'), { recursive: true })
  for (const path of ['old.txt', 'docs/inner.txt', 'binned.txt']) await writeFile(join(disk, path), 'secret of old')
  const user = await newcomer(server, admin, { scope, perm: perm(...RIGHTS) })
  const name = uniqueName('Team')
  await mkdir(join(media, name))
  await writeFile(join(media, name, 'one.txt'), 'one')
  const mount: Mount = await ask('POST', '/api/mounts', { name, root: 'media', folder: `/${name}` })
  await ask('PUT', `/api/mounts/${mount.id}/access/user/${user.id}`, { rights: EDIT })
  const before = await person(server, user.name, GOOD_PASSWORD)
  await before.remove('/binned.txt')
  const link = json(await send(server, 'POST', '/api/share/old.txt', before.token, {}))
  await setHome(user.id, 'none')
  const files = await person(server, user.name, GOOD_PASSWORD)
  return { user, files, at: `/${name}`, disk, folder: join(media, name), link: link.hash as string, scope }
}

const namesIn = async (files: Person, path: string): Promise<string[]> =>
  json(await files.get(path)).items.map(({ name }: { name: string }) => name)

const move = ({ token }: Person, action: 'copy' | 'rename', from: string, to: string) =>
  call(server, `/api/resources${encode(from)}?action=${action}&destination=${encodeURIComponent(encode(to))}`, {
    method: 'PATCH',
    token,
  })

/** WebDAV with an API token of the user. */
async function davOf({ token }: Person) {
  const made = await send(server, 'POST', '/api/tokens', token, {
    ...{ label: 'drive', scopes: ['read', 'write'], current_password: GOOD_PASSWORD },
  })
  const { token: secret } = json(made)
  return (method: string, path: string, more: { headers?: Record<string, string>; body?: string } = {}) =>
    call(server, `/dav${path}`, {
      ...more,
      method,
      headers: { Authorization: `Bearer ${secret}`, ...more.headers },
    })
}

const refusal = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get('X-Error-Code')]

describe('ROOT-11 a user without a home', () => {
  test('sees folders of other roots, and nothing of the own scope', async () => {
    const { files, at } = await homeless()
    expect(await namesIn(files, '/')).toEqual([at.slice(1)])
    expect(await namesIn(files, `${at}/`)).toEqual(['one.txt'])
    for (const read of [files.get, files.raw]) {
      const [there, missing] = [await read('/old.txt'), await read('/none.txt')]
      expect([there.status, there.text]).toEqual([missing.status, missing.text])
      expect(there.status).toBeGreaterThanOrEqual(403)
    }
    const recursive = await call(server, '/api/resources/recursive/', { token: files.token })
    expect(recursive.text).not.toMatch(/old|inner/)
  })

  test('reads why nothing is taken at the top, by every way', async () => {
    const { files, at, disk } = await homeless()
    const { token } = files
    const dav = await davOf(files)
    expect(refusal(await files.put('/new.txt', 'new'))).toEqual(REFUSED)
    expect(refusal(await files.put('/folder/'))).toEqual(REFUSED)
    expect(refusal(await files.put('/docs/new.txt', 'new'))).toEqual(REFUSED)
    expect((await move(files, 'copy', `${at}/one.txt`, '/one.txt')).status).toBe(403)
    expect((await move(files, 'rename', `${at}/one.txt`, '/docs/one.txt')).status).toBe(403)
    expect(refusal(await files.remove('/old.txt'))).toEqual(REFUSED)
    expect(refusal(await tusOf(server, files).create('/new.txt', 3))).toEqual(REFUSED)
    expect(refusal(await send(server, 'POST', '/api/share/old.txt', token, {}))).toEqual(REFUSED)
    expect((await dav('PUT', '/new.txt', { body: 'new' })).status).toBe(403)
    expect((await dav('MKCOL', '/new')).status).toBe(403)
    expect(existsSync(join(disk, 'new.txt'))).toBe(false)
    expect(existsSync(join(server.root, 'new.txt'))).toBe(false)
    const { steps } = json(await call(server, '/api/why?path=/old.txt&action=read', { token }))
    expect(steps).toEqual([{ check: 'place', ok: false, code: 'no_home' }])
  })

  test('works in those folders, with their trash, versions, searches and undo', async () => {
    const { files, at, folder } = await homeless()
    const { token } = files
    expect((await files.put(`${at}/two.txt`, 'two words')).status).toBe(200)
    expect((await files.put(`${at}/two.txt`, 'three', '?override=true')).status).toBe(200)
    expect((await move(files, 'rename', `${at}/two.txt`, `${at}/moved.txt`)).status).toBe(200)
    expect((await files.remove(`${at}/moved.txt`)).status).toBe(204)
    const { items } = json(await call(server, '/api/trash', { token }))
    expect(items.map(({ path }: { path: string }) => path)).toEqual([`${at}/moved.txt`])
    const restored = await send(server, 'POST', '/api/trash/restore', token, { items: [{ id: items[0].id }] })
    expect(json(restored).results[0].state).toBe('done')
    expect(await readFile(join(folder, 'moved.txt'), 'utf8')).toBe('three')
    const found = await call(server, '/api/search/?query=txt', { token, headers: { Accept: 'application/x-ndjson' } })
    expect(found.text).toContain('moved.txt')
    expect(found.text).not.toMatch(/old|inner/)
    const changes = await call(server, '/api/changes', { token })
    expect([changes.status, /old\.txt|binned/.test(changes.text)]).toEqual([200, false])
  })

  test('gets no sizes and no quota of a home', async () => {
    const { user, files, at } = await homeless()
    const { token } = files
    await ask('PUT', `/api/quotas/users/${user.id}`, { bytes: 10 })
    expect(json(await files.usage('/'))).toEqual({ total: 0, used: 0 })
    expect(json(await files.usage(`${at}/`)).total).toBeGreaterThan(0)
    expect(json(await call(server, '/api/quota', { token })).limit).toBeNull()
    expect((await files.put(`${at}/long.txt`, 'more than ten bytes')).status).toBe(200)
    for (const path of ['/api/sizes/', '/api/recent', '/api/stars', '/api/tags', '/api/trash/room', '/api/mounts/own'])
      expect([path, (await call(server, path, { token })).status]).toEqual([path, 200])
  })

  test('has the same tree over WebDAV', async () => {
    const { files, at } = await homeless()
    const dav = await davOf(files)
    const listed = await dav('PROPFIND', '/', { headers: { Depth: '1' } })
    expect(listed.status).toBe(207)
    expect(listed.text).toContain(`/dav${at}/`)
    expect(listed.text).not.toMatch(/old\.txt|docs/)
    const put = await dav('PUT', `${at}/by-dav.txt`, { body: 'dav' })
    expect(put.status).toBe(201)
  })

  test('shares nothing of the old home, which opens again when it is given back', async () => {
    const { user, files, link, disk } = await homeless()
    const open = async () => (await call(server, `/api/public/dl/${link}`)).status
    expect(await open()).toBe(404)
    await rm(join(disk, 'docs'), { recursive: true })
    await setHome(user.id, 'scope')
    expect(await open()).toBe(200)
    expect((await files.raw('/old.txt')).text).toBe('secret of old')
    expect(await namesIn(files, '/')).toContain('old.txt')
  })

  test('needs no folder for it, and gets one with a home', async () => {
    const { user, files, at, disk } = await homeless()
    await rm(disk, { recursive: true })
    expect(await namesIn(files, '/')).toEqual([at.slice(1)])
    await setHome(user.id, 'scope')
    expect(await namesIn(files, '/')).toEqual([at.slice(1)])
    expect((await files.put('/new.txt', 'new')).status).toBe(200)
  })

  test('has an empty top without any folder, and what others share in one', async () => {
    const scope = `/${uniqueName('home')}`
    const bob = await newcomer(server, admin, { scope, perm: perm(...RIGHTS) })
    await setHome(bob.id, 'none')
    const files = await person(server, bob.name, GOOD_PASSWORD)
    expect(await namesIn(files, '/')).toEqual([])
    expect(refusal(await files.put('/new.txt', 'new'))).toEqual(REFUSED)
    const name = uniqueName('given')
    await mkdir(join(server.root, name))
    await writeFile(join(server.root, name, 'a.txt'), 'a')
    const to = { kind: 'user', id: String(bob.id) }
    await ask('POST', '/api/grants', { path: `/${name}`, to, rights: EDIT })
    expect(await namesIn(files, '/')).toEqual(['Shared with me'])
    expect((await files.raw(`/Shared with me/${name}/a.txt`)).text).toBe('a')
    expect((await files.put(`/Shared with me/${name}/b.txt`, 'b')).status).toBe(200)
  })
})

describe('ROOT-11 a home is taken by administrators', () => {
  test('GRP-08 stays so when a client saves the whole user, and the session says what is possible at home', async () => {
    const { user, files } = await homeless()
    const whole = json(await admin.get(user.id))
    expect(whole).not.toHaveProperty('hasHome')
    expect((await admin.update(user.id, ['all'], whole)).status).toBe(200)
    expect(refusal(await files.put('/new.txt', 'new'))).toEqual(REFUSED)
    expect(await ask('GET', '/api/users/homeless')).toContain(user.id)
    const { perm: shown } = JSON.parse(Buffer.from(files.token.split('.')[1] ?? '', 'base64url').toString()).user
    expect(shown).toMatchObject({ create: false, modify: false, delete: false, rename: false, download: true })
    const rows: { action: string; target: string }[] = (await ask('GET', '/api/audit?limit=50')).rows
    expect(rows).toContainEqual(expect.objectContaining({ action: 'user.change', target: `${user.name}: has no home` }))
  })

  test('is for administrators only', async () => {
    const { user, files } = await homeless()
    const own = await send(server, 'PUT', `/api/users/${user.id}/home`, files.token, { home: 'scope' })
    expect(own.status).toBe(403)
    expect((await send(server, 'GET', '/api/users/homeless', files.token)).status).toBe(403)
    expect((await send(server, 'PUT', '/api/users/999999/home', admin.token, { home: 'none' })).status).toBe(404)
    const odd = await send(server, 'PUT', `/api/users/${user.id}/home`, admin.token, { home: 'palace' })
    expect(odd.status).toBe(400)
  })
})
