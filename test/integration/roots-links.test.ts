import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mount } from '../../shared/api/mounts.ts'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, encode, json, type Person, person } from '../api/client.ts'
import { makeHome, type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'

const SHARE = ['download', 'share']
const ALL = [...SHARE, 'create', 'modify', 'rename', 'delete']

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

/** A user who may share nothing at home, with a mount of a new folder. */
async function mounted(rights: readonly string[] = SHARE, own: Parameters<typeof perm> = ['download']) {
  const scope = `/${uniqueName('home')}`
  await mkdir(join(server.root, scope), { recursive: true })
  const user = await newcomer(server, admin, { scope, perm: perm(...own) })
  const name = uniqueName('Team')
  const folder = join(media, name)
  await mkdir(join(folder, 'docs/secret'), { recursive: true })
  for (const path of ['beside.txt', 'docs/a.txt', 'docs/secret/s.txt']) await writeFile(join(folder, path), path)
  const mount: Mount = await ask('POST', '/api/mounts', { name, root: 'media', folder: `/${name}` })
  const give = (given: readonly string[]) =>
    ask('PUT', `/api/mounts/${mount.id}/access/user/${user.id}`, { rights: given })
  await give(rights)
  const files = await person(server, user.name, GOOD_PASSWORD)
  return { user, files, mount, at: `/${name}`, folder, give, home: join(server.root, scope) }
}

const share = ({ token }: Pick<Person, 'token'>, path: string, body: object = {}) =>
  send(server, 'POST', `/api/share${encode(path)}`, token, body)
const visit = (hash: string, path = '') => call(server, `/api/public/dl/${hash}${path}`)
const linkTo = async (files: Person, path: string, body: object = {}): Promise<string> => {
  const answer = await share(files, path, body)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return json(answer).hash
}

describe('ROOT-12 a share link out of a mount', () => {
  test('opens a folder, and nothing next to it, with the right to share there alone', async () => {
    const { files, at, folder } = await mounted()
    const hash = await linkTo(files, `${at}/docs`)
    expect((await visit(hash, '/a.txt')).text).toBe('docs/a.txt')
    const listed = json(await call(server, `/api/public/share/${hash}/`))
    expect(listed.items.map(({ name }: { name: string }) => name).sort()).toEqual(['a.txt', 'secret'])
    await symlink('../beside.txt', join(folder, 'docs/out'))
    for (const path of ['/../beside.txt', '/%2e%2e/beside.txt', '/out', '/none'])
      expect([path, (await visit(hash, path)).status]).toEqual([path, expect.toSatisfy(status => status >= 400)])
    expect(JSON.stringify(listed)).not.toMatch(new RegExp(`media|${at.slice(1)}`))
    const own = json(await call(server, '/api/shares', { token: files.token }))
    expect(own).toMatchObject([{ hash, path: `${at}/docs` }])
    expect((await visit(await linkTo(files, `${at}/beside.txt`))).text).toBe('beside.txt')
  })

  test.each([[['download']], [['share']], [['download', 'create', 'modify']]])('is not made with %j', async rights => {
    const { files, at } = await mounted(rights)
    expect((await share(files, `${at}/docs`)).status).toBe(403)
  })

  test('is not made of the mount itself, nor with people, nor of own files without the right at home', async () => {
    const { files, at, home } = await mounted(ALL)
    expect((await share(files, at)).status).toBe(403)
    const { id } = await newcomer(server, admin)
    const to = { kind: 'user', id: String(id) }
    const given = await send(server, 'POST', '/api/grants', files.token, {
      path: `${at}/docs`,
      to,
      rights: ['download'],
    })
    expect(given.status).toBe(403)
    await writeFile(join(home, 'own.txt'), 'own')
    expect((await share(files, '/own.txt')).status).toBe(403)
    expect(
      (
        await share(
          await person(server, (await newcomer(server, admin, { perm: perm('download') })).name, GOOD_PASSWORD),
          '/x',
        )
      ).status,
    ).toBe(403)
  })

  test('to edit gives what its owner may do there, and keeps its folder', async () => {
    const { files, at, folder, give } = await mounted(ALL)
    const hash = await linkTo(files, `${at}/docs`, { kind: 'edit', rights: ['create', 'rename', 'modify', 'delete'] })
    const edit = (method: string, path: string, body?: string) =>
      call(server, `/api/public/resources/${hash}${path}`, { method, ...(body !== undefined && { body }) })
    expect((await edit('POST', '/new.txt', 'new')).status).toBe(200)
    expect(await readFile(join(folder, 'docs/new.txt'), 'utf8')).toBe('new')
    expect((await edit('PUT', '/a.txt', 'changed')).status).toBe(200)
    expect((await edit('PATCH', '/new.txt?action=rename&destination=%2Fother.txt')).status).toBe(200)
    expect((await edit('DELETE', '/other.txt')).status).toBe(204)
    for (const refused of [edit('DELETE', ''), edit('POST', '/../beside.txt', 'x'), edit('PUT', '/../beside.txt', 'x')])
      expect((await refused).status).toBeGreaterThanOrEqual(400)
    expect((await readdir(folder)).sort()).toEqual(['beside.txt', 'docs'])
    expect(await readFile(join(folder, 'beside.txt'), 'utf8')).toBe('beside.txt')
    await give([...SHARE, 'create'])
    expect(json(await call(server, `/api/public/share/${hash}/`)).rights).toEqual(['create'])
    expect((await edit('PUT', '/a.txt', 'again')).status).toBe(403)
    expect((await edit('POST', '/next.txt', 'next')).status).toBe(200)
    await give(['download', 'create'])
    expect((await edit('POST', '/last.txt', 'last')).status).toBe(403)
    const change = (rights: readonly string[]) => send(server, 'PATCH', `/api/links/${hash}`, files.token, { rights })
    await give([...SHARE, 'create'])
    expect([(await change(['modify'])).status, (await change(['create'])).status]).toEqual([403, 200])
    await give([...SHARE, 'create'])
    expect((await share(files, `${at}/docs`, { kind: 'edit', rights: ['delete'] })).status).toBe(403)
  })

  test('to one file saves that file alone', async () => {
    const { files, at, folder } = await mounted([...SHARE, 'modify'])
    const hash = await linkTo(files, `${at}/docs/a.txt`, { kind: 'edit', rights: ['modify'] })
    const saved = await call(server, `/api/public/resources/${hash}`, { method: 'PUT', body: 'changed' })
    expect([saved.status, await readFile(join(folder, 'docs/a.txt'), 'utf8')]).toEqual([200, 'changed'])
    expect((await call(server, `/api/public/resources/${hash}`, { method: 'DELETE' })).status).toBe(403)
  })

  test('to send files takes them into its folder, within the quota of the mount', async () => {
    const { files, at, folder, mount, give } = await mounted([...SHARE, 'create'])
    const hash = await linkTo(files, `${at}/docs`, { kind: 'drop' })
    const deliver = async (name: string, body: string) => {
      const headers = {
        ...{ 'Tus-Resumable': '1.0.0', 'Upload-Length': String(body.length) },
        'Content-Type': 'application/offset+octet-stream',
      }
      return (await call(server, `/api/public/tus/${hash}/${name}`, { method: 'POST', headers, body })).status
    }
    expect(await deliver('a.txt', 'theirs')).toBe(201)
    expect((await readdir(join(folder, 'docs'))).sort()).toEqual(['a(1).txt', 'a.txt', 'secret'])
    const arrived = json(await call(server, `/api/links/${hash}/deliveries`, { token: files.token }))
    expect(arrived.deliveries).toMatchObject([{ name: 'a(1).txt' }])
    await ask('PUT', `/api/mounts/${mount.id}`, { name: mount.name, readOnly: false, quotaBytes: 40 })
    await expect.poll(() => deliver('b.txt', 'x'.repeat(100))).toBe(507)
    await give(SHARE)
    expect(await deliver('c.txt', 'x')).toBe(403)
    expect(json(await call(server, '/api/shares', { token: files.token }))).toMatchObject([{ hash, kind: 'drop' }])
  })

  test('is explained, and listed for its owner and administrators, by its present path', async () => {
    const { user, files, mount, at, give } = await mounted([...SHARE, 'create'])
    const hash = await linkTo(files, `${at}/docs`)
    const why = async () => json(await call(server, `/api/why?link=${hash}`, { token: files.token }))
    expect(await why()).toMatchObject({ allowed: true, username: user.name })
    await give(['download'])
    expect(await why()).toMatchObject({ allowed: false })
    await give(SHARE)
    const other = uniqueName('Crew')
    await ask('PUT', `/api/mounts/${mount.id}`, { name: other, readOnly: false })
    expect(await why()).toMatchObject({ allowed: true })
    const path = `/${other}/docs`
    expect(json(await call(server, '/api/shares', { token: files.token }))).toMatchObject([{ hash, path }])
    expect(json(await call(server, `/api/share${path}`, { token: files.token }))).toMatchObject([{ hash, path }])
    expect(json(await call(server, `/api/share${at}/docs`, { token: files.token }))).toEqual([])
    const inAll: { hash: string; path: string }[] = await ask('GET', '/api/shares')
    expect(inAll.find(link => link.hash === hash)?.path).toBe(path)
    const changed = await send(server, 'PATCH', `/api/links/${hash}`, admin.token, { label: 'Papers' })
    expect(json(changed)).toMatchObject({ path, label: 'Papers', username: user.name })
  })

  test('says in the lists of its owner and of administrators why it does not open, and when it does again', async () => {
    const { user, files, mount, at, give } = await mounted([...SHARE, 'create'], ['download', 'share'])
    const hash = await linkTo(files, `${at}/docs`)
    const drop = await linkTo(files, `${at}/docs`, { kind: 'drop' })
    const shutIn = async (token: string) => {
      const links: { hash: string; shut?: string }[] = json(await call(server, '/api/shares', { token }))
      return [hash, drop].map(wanted => links.find(link => link.hash === wanted)?.shut)
    }
    const shut = async () => {
      const [own, all] = [await shutIn(files.token), await shutIn(admin.token)]
      expect(all).toEqual(own)
      const changed = json(await send(server, 'PATCH', `/api/links/${hash}`, files.token, { label: 'Papers' }))
      expect(changed.shut).toBe(own[0])
      return own
    }
    expect(await shut()).toEqual([undefined, undefined])
    await give(SHARE)
    expect(await shut()).toEqual([undefined, 'rights'])
    await give(['download'])
    expect(await shut()).toEqual(['rights', 'rights'])
    await give([...SHARE, 'create'])
    await ask('PUT', `/api/mounts/${mount.id}`, { name: mount.name, readOnly: true })
    expect(await shut()).toEqual(['rights', 'rights'])
    await ask('PUT', `/api/mounts/${mount.id}`, { name: mount.name, readOnly: false })
    await ask('DELETE', `/api/mounts/${mount.id}/access/user/${user.id}`)
    expect(await shut()).toEqual(['folder', 'folder'])
    expect((await visit(hash, '/a.txt')).status).toBe(404)
    await give([...SHARE, 'create'])
    expect(await shut()).toEqual([undefined, undefined])
    await ask('DELETE', `/api/mounts/${mount.id}`)
    expect(await shut()).toEqual(['folder', 'folder'])
  })

  test('to own files is shut in the lists, too, while its owner may not share, or has no home', async () => {
    const { user, files, home } = await mounted(SHARE, ['download', 'share'])
    await writeFile(join(home, 'own.txt'), 'own')
    const hash = await linkTo(files, '/own.txt')
    const shut = async () => {
      const links: { hash: string; shut?: string }[] = json(await call(server, '/api/shares', { token: admin.token }))
      return links.find(link => link.hash === hash)?.shut
    }
    expect(await shut()).toBeUndefined()
    await admin.update(user.id, ['perm'], { perm: perm('download') })
    expect([await shut(), (await visit(hash)).status]).toEqual(['rights', 403])
    await admin.update(user.id, ['perm'], { perm: perm('download', 'share') })
    await ask('PUT', `/api/users/${user.id}/home`, { home: 'none' })
    expect([await shut(), (await visit(hash)).status]).toEqual(['folder', 404])
    await ask('PUT', `/api/users/${user.id}/home`, { home: 'scope' })
    expect([await shut(), (await visit(hash)).text]).toEqual([undefined, 'own'])
  })

  test('is shut as long as its owner has the mount without the right, or not at all', async () => {
    const { user, files, mount, at, give } = await mounted()
    const hash = await linkTo(files, `${at}/docs`)
    const status = async () => (await visit(hash, '/a.txt')).status
    await give(['download'])
    expect(await status()).toBe(403)
    await give(SHARE)
    expect(await status()).toBe(200)
    await ask('PUT', `/api/mounts/${mount.id}`, { name: mount.name, readOnly: true })
    expect(await status()).toBe(403)
    await ask('PUT', `/api/mounts/${mount.id}`, { name: mount.name, readOnly: false })
    await ask('DELETE', `/api/mounts/${mount.id}/access/user/${user.id}`)
    expect(await status()).toBe(404)
    await give(SHARE)
    expect(await status()).toBe(200)
    await ask('PUT', `/api/users/${user.id}/home`, { home: 'none' })
    expect(await status()).toBe(200)
  })

  test('hides what a rule hides from its owner', async () => {
    const { user, files, at } = await mounted()
    const hash = await linkTo(files, `${at}/docs`)
    const rules = [{ regex: false, allow: false, path: `${at}/docs/secret`, regexp: null }]
    await admin.update(user.id, ['rules'], { rules })
    expect((await visit(hash, '/secret/s.txt')).status).toBeGreaterThanOrEqual(403)
    expect((await visit(hash, '/a.txt')).status).toBe(200)
  })

  test('follows the mount to another name, and its folder within the mount; it ends with the folder', async () => {
    const { files, mount, at, give } = await mounted([...SHARE, 'create', 'rename', 'delete'])
    const hash = await linkTo(files, `${at}/docs`)
    const status = async () => (await visit(hash, '/a.txt')).status
    const other = uniqueName('Crew')
    await ask('PUT', `/api/mounts/${mount.id}`, { name: other, readOnly: false })
    expect(await status()).toBe(200)
    const moved = await call(
      server,
      `/api/resources/${other}/docs?action=rename&destination=${encodeURIComponent(`/${other}/papers`)}`,
      { method: 'PATCH', token: files.token },
    )
    expect([moved.status, await status()]).toEqual([200, 200])
    await give(['download', 'delete', 'share'])
    const { headers } = await files.remove(`/${other}/papers`)
    expect(await status()).toBe(404)
    const items = [{ id: headers.get('X-Kept') }]
    await give([...SHARE, 'create', 'delete'])
    await send(server, 'POST', '/api/trash/restore', files.token, { items })
    expect(await status()).toBe(200)
    await files.remove(`/${other}/papers`, '?permanent=true')
    expect(await status()).toBe(404)
  })

  test('follows its file from the home into the mount, and back', async () => {
    const { files, at, home, folder } = await mounted(ALL, ['download', 'share', 'create', 'rename', 'delete'])
    await writeFile(join(home, 'own.txt'), 'own')
    const hash = await linkTo(files, '/own.txt')
    const listed = async () => json(await call(server, '/api/shares', { token: files.token }))
    const jobs = jobsOf(server, files)
    const move = async (from: string, to: string) =>
      expect((await jobs.run({ kind: 'move', items: [{ from, to }] })).items).toMatchObject([{ state: 'done' }])
    await move('/own.txt', `${at}/docs/own.txt`)
    expect([(await visit(hash)).text, await readdir(join(folder, 'docs'))]).toEqual([
      'own',
      expect.arrayContaining(['own.txt']),
    ])
    expect(await listed()).toMatchObject([{ hash, path: `${at}/docs/own.txt` }])
    await writeFile(join(home, 'own.txt'), 'another')
    expect(json(await call(server, '/api/share/own.txt', { token: files.token }))).toEqual([])
    await move(`${at}/docs/own.txt`, '/back.txt')
    expect([(await visit(hash)).text, (await listed())[0].path]).toEqual(['own', '/back.txt'])
  })

  test('never opens own content of its name, nor what another root has in its place', async () => {
    const { files, at, home, folder } = await mounted()
    const hash = await linkTo(files, `${at}/docs`)
    await mkdir(join(home, at, 'docs'), { recursive: true })
    await writeFile(join(home, at, 'docs/a.txt'), 'own')
    expect((await visit(hash, '/a.txt')).text).toBe('docs/a.txt')
    await rename(join(folder, 'docs'), join(folder, 'elsewhere'))
    expect((await visit(hash, '/a.txt')).status).toBe(404)
    await rename(media, `${media}-old`)
    await mkdir(join(media, at, 'docs'), { recursive: true })
    await writeFile(join(media, at, 'docs/a.txt'), 'exchanged')
    expect((await visit(hash, '/a.txt')).text).not.toContain('exchanged')
    await rm(media, { recursive: true })
    await rename(`${media}-old`, media)
  })
})
