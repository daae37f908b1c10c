import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mount, RootAnswer } from '../../shared/api/mounts.ts'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { json, type Person, person } from '../api/client.ts'
import { makeHome, type OwnServer, startServer, uniqueName } from '../api/harness.ts'

const EDIT = ['download', 'create', 'rename', 'modify', 'delete']

let server: OwnServer
let admin: Manager
let disk: Record<'media' | 'archive', string>

beforeAll(async () => {
  const home = await makeHome()
  disk = { media: join(home, 'media'), archive: join(home, 'archive') }
  for (const folder of Object.values(disk)) await mkdir(join(folder, 'team'), { recursive: true })
  await writeFile(join(disk.media, 'team/one.txt'), 'one')
  const places = { media: disk.media, archive: { at: disk.archive, readOnly: true }, away: join(home, 'away') }
  const roots = { ...places, bucket: 's3://scans/x?endpoint=http://127.0.0.1:9' }
  await writeFile(join(home, 'roots.json'), JSON.stringify({ roots }))
  const env = { AWS_ACCESS_KEY_ID: 'AKEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' }
  server = await startServer({ home, args: ['--config', join(home, 'roots.json')], env })
  admin = await manager(server)
})

afterAll(async () => {
  await server.stop()
})

const ask = (method: string, path: string, body?: unknown, token = admin.token) =>
  send(server, method, path, token, body)

async function added(more: object = {}): Promise<Mount> {
  const wanted = { name: uniqueName('Team'), root: 'media', folder: `/${uniqueName('new')}`, make: true, ...more }
  const answer = await ask('POST', '/api/mounts', wanted)
  if (answer.status !== 201) throw new Error(`not added: ${answer.status} ${answer.text}`)
  return json(answer)
}

const accessOf = ({ id }: Mount, kind: string, to: number | string) => `/api/mounts/${id}/access/${kind}/${to}`

async function someone(): Promise<Person & { id: number; name: string }> {
  const scope = `/${uniqueName('home')}`
  await mkdir(join(server.root, scope), { recursive: true })
  const user = await newcomer(server, admin, { scope, perm: perm('download') })
  return { ...(await person(server, user.name, GOOD_PASSWORD)), id: user.id, name: user.name }
}

const namesAt = async (files: Person): Promise<string[]> =>
  json(await files.get('/')).items.map(({ name }: { name: string }) => name)

describe('ROOT-01 the roots of the host', () => {
  test('are listed with what they are, whether they are there, and how many mounts they have', async () => {
    await added({ root: 'media' })
    const answer = await ask('GET', '/api/roots')
    const roots: RootAnswer[] = json(answer)
    const room = { total: expect.any(Number), used: expect.any(Number) }
    const bare = { label: '', quota: { bytes: null, items: null } }
    expect(roots.map(({ mounts: _, ...root }) => root)).toEqual(
      [
        { name: 'media', kind: 'folder', readOnly: false, available: true, room },
        { name: 'archive', kind: 'folder', readOnly: true, available: true, room },
        { name: 'away', kind: 'folder', readOnly: false, available: false, room: null },
        { name: 'bucket', kind: 'bucket', readOnly: false, available: false, room: null },
      ].map(root => ({ ...root, ...bare })),
    )
    expect(roots[0]?.mounts).toBeGreaterThan(0)
    expect(answer.text).not.toContain(disk.media)
  })
})

describe('ROOT-01 a mount by the API', () => {
  test('is made of a folder, given with rights, changed, taken and removed; each counts at once', async () => {
    const ann = await someone()
    const mount = await added({ folder: '/team', make: false })
    expect(mount).toMatchObject({ root: 'media', folder: '/team', readOnly: false, access: [] })
    const { name } = mount
    expect(await namesAt(ann)).not.toContain(name)
    expect((await ask('PUT', accessOf(mount, 'user', ann.id), { rights: ['download'] })).status).toBe(204)
    expect(await namesAt(ann)).toContain(name)
    expect((await ann.raw(`/${name}/one.txt`)).text).toBe('one')
    expect((await ann.put(`/${name}/two.txt`, 'two')).status).toBe(403)
    await ask('PUT', accessOf(mount, 'user', ann.id), { rights: EDIT })
    expect((await ann.put(`/${name}/two.txt`, 'two')).status).toBe(200)
    expect(existsSync(join(disk.media, 'team/two.txt'))).toBe(true)
    const to = { kind: 'user', id: String(ann.id), name: ann.name }
    expect(json(await ask('GET', `/api/mounts/${mount.id}`)).access).toEqual([{ to, rights: EDIT, expires: null }])
    const other = uniqueName('Other')
    const changed = await ask('PUT', `/api/mounts/${mount.id}`, { name: other, readOnly: true })
    expect(json(changed)).toMatchObject({ name: other, readOnly: true })
    expect((await ann.put(`/${other}/three.txt`, 'three')).status).toBe(403)
    expect((await ann.get(`/${name}/`)).status).toBe(404)
    expect((await ask('DELETE', accessOf(mount, 'user', ann.id))).status).toBe(204)
    expect((await ask('DELETE', accessOf(mount, 'user', ann.id))).status).toBe(404)
    expect((await ann.get(`/${other}/`)).status).toBe(404)
    await ask('PUT', accessOf(mount, 'user', ann.id), { rights: EDIT })
    expect((await ask('DELETE', `/api/mounts/${mount.id}`)).status).toBe(204)
    expect((await ann.get(`/${other}/`)).status).toBe(404)
    expect((await ask('GET', `/api/mounts/${mount.id}`)).status).toBe(404)
    expect(existsSync(join(disk.media, 'team/two.txt'))).toBe(true)
  })

  test('is given to a group, and to all users', async () => {
    const [ann, ben] = [await someone(), await someone()]
    const group = json(await ask('POST', '/api/groups', { name: uniqueName('g'), perm: {}, rules: [] }))
    await ask('PUT', `/api/groups/${group.id}/members/${ann.id}`)
    const mount = await added()
    await ask('PUT', accessOf(mount, 'group', group.id), { rights: ['download'] })
    expect([await namesAt(ann), await namesAt(ben)].map(names => names.includes(mount.name))).toEqual([true, false])
    await ask('PUT', accessOf(mount, 'group', 'everyone'), { rights: ['download'] })
    expect(await namesAt(ben)).toContain(mount.name)
    await ask('DELETE', `/api/mounts/${mount.id}`)
    expect([await namesAt(ann), await namesAt(ben)].flat()).not.toContain(mount.name)
  })

  test('ends for a user at its time, and what a group gives stays', async () => {
    const ann = await someone()
    const mount = await added()
    const at = accessOf(mount, 'user', ann.id)
    const later = new Date(Date.now() + 86_400_000).toISOString()
    await ask('PUT', accessOf(mount, 'group', 'everyone'), { rights: ['download'], expires: later })
    expect((await ask('PUT', at, { rights: EDIT, expires: later })).status).toBe(204)
    expect((await ann.put(`/${mount.name}/one.txt`, 'one')).status).toBe(200)
    const soon = new Date(Date.now() + 1500).toISOString()
    await ask('PUT', at, { rights: EDIT, expires: soon })
    const saved = async () => (await ann.put(`/${mount.name}/one.txt`, 'two')).status
    await expect.poll(saved).toBe(403)
    expect((await ann.raw(`/${mount.name}/one.txt`)).status).toBe(200)
    await ask('DELETE', accessOf(mount, 'group', 'everyone'))
    expect((await ann.raw(`/${mount.name}/one.txt`)).status).toBe(404)
    expect(await namesAt(ann)).not.toContain(mount.name)
    const [ended]: Mount['access'] = json(await ask('GET', `/api/mounts/${mount.id}`)).access
    expect(ended?.expires).toBe(soon)
    await ask('PUT', at, { rights: ['download'] })
    expect((await ann.raw(`/${mount.name}/one.txt`)).status).toBe(200)
    for (const expires of ['2001-01-01T00:00:00Z', 'tomorrow', 5])
      expect((await ask('PUT', at, { rights: EDIT, expires })).status).toBe(400)
  })

  test('is refused with the field at fault', async () => {
    await writeFile(join(disk.media, 'file.txt'), '')
    const known = await added()
    const good = { name: 'Good', root: 'media', folder: '/team' }
    const refused = async (more: object) => {
      const { status, text } = await ask('POST', '/api/mounts', { ...good, ...more })
      return [status, /(name|root|folder): /.exec(text)?.[1]]
    }
    expect(await refused({ name: 'a/b' })).toEqual([400, 'name'])
    expect(await refused({ name: 'Shared with me' })).toEqual([400, 'name'])
    expect(await refused({ root: 'none' })).toEqual([400, 'root'])
    expect(await refused({ root: 'main' })).toEqual([400, 'root'])
    for (const folder of ['/team/..', '/../etc', '//media/team', '/none', '/file.txt'])
      expect([folder, ...(await refused({ folder }))]).toEqual([folder, 400, 'folder'])
    expect(await refused({ root: 'archive', folder: '/none', make: true })).toEqual([400, 'folder'])
    expect((await refused({ name: known.name.toUpperCase(), folder: '/new', make: true }))[0]).toBe(409)
    expect((await refused({ folder: known.folder }))[0]).toBe(409)
    expect((await refused({ root: 'away' }))[0]).toBe(503)
    const other = await added()
    expect((await ask('PUT', `/api/mounts/${other.id}`, { name: known.name, readOnly: false })).status).toBe(409)
    expect((await ask('PUT', `/api/mounts/${other.id}`, { name: '..', readOnly: false })).status).toBe(400)
    for (const rights of [[], ['admin'], ['execute'], 'download'] as const)
      expect((await ask('PUT', accessOf(known, 'user', 1), { rights })).status).toBe(400)
    for (const to of ['user/999999', 'user/x', 'group/none', 'role/1'])
      expect((await ask('PUT', `/api/mounts/${known.id}/access/${to}`, { rights: ['download'] })).status).toBe(404)
  })

  test('AUD-01 leaves a row of each change in the audit log', async () => {
    const ann = await someone()
    const { id, name } = await added()
    await ask('PUT', `/api/mounts/${id}/access/user/${ann.id}`, { rights: ['download', 'create'] })
    await ask('PUT', `/api/mounts/${id}`, { name, readOnly: true })
    await ask('DELETE', `/api/mounts/${id}/access/user/${ann.id}`)
    await ask('DELETE', `/api/mounts/${id}`)
    const rows: { action: string; target: string }[] = json(await ask('GET', '/api/audit?limit=20')).rows
    const about = rows.filter(({ target }) => target.startsWith(name)).map(({ action, target }) => [action, target])
    expect(about.reverse()).toEqual([
      ['mount.add', name],
      ['mount.access', `${name}: + ${ann.name} (download, create)`],
      ['mount.change', name],
      ['mount.access', `${name}: - ${ann.name}`],
      ['mount.remove', name],
    ])
  })

  test('is for administrators only, whatever the caller has of it', async () => {
    const ann = await someone()
    const mount = await added()
    await ask('PUT', accessOf(mount, 'user', ann.id), { rights: EDIT })
    for (const [method, path] of [
      ['GET', '/api/roots'],
      ['GET', '/api/mounts'],
      ['POST', '/api/mounts'],
      ['GET', `/api/mounts/${mount.id}`],
      ['PUT', `/api/mounts/${mount.id}`],
      ['DELETE', `/api/mounts/${mount.id}`],
      ['PUT', accessOf(mount, 'user', ann.id)],
      ['DELETE', accessOf(mount, 'user', ann.id)],
    ] as const)
      expect([path, (await ask(method, path, undefined, ann.token)).status]).toEqual([path, 403])
    expect(await namesAt(ann)).toContain(mount.name)
  })
})
