import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WhyAnswer, WhyStep } from '../../shared/api/explain-access.ts'
import { MOUNT_RIGHTS, type Mount, type OwnMount } from '../../shared/api/mounts.ts'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, encode, json, type Person, person } from '../api/client.ts'
import { makeHome, type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { asNobody, canBeNobody } from '../api/nobody.ts'

let server: OwnServer
let admin: Manager
let disk: Record<'media' | 'archive' | 'away', string>

beforeAll(async () => {
  const home = await makeHome()
  disk = { media: join(home, 'media'), archive: join(home, 'archive'), away: join(home, 'away') }
  for (const folder of Object.values(disk)) await mkdir(folder)
  const roots = { media: disk.media, archive: { at: disk.archive, readOnly: true }, away: disk.away }
  await writeFile(join(home, 'roots.json'), JSON.stringify({ roots }))
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

interface There {
  user: Awaited<ReturnType<typeof newcomer>>
  files: Person
  mount: Mount
  at: string
  folder: string
}

/** A reader with a mount of a new folder, given to the user with some rights. */
async function mounted(rights: string[], root: keyof typeof disk = 'media'): Promise<There> {
  const scope = `/${uniqueName('home')}`
  await mkdir(join(server.root, scope), { recursive: true })
  const user = await newcomer(server, admin, { scope, perm: perm('download', 'rename') })
  const name = uniqueName('Team')
  const folder = join(disk[root], name)
  await mkdir(join(folder, 'secret'), { recursive: true })
  for (const path of ['one.txt', 'secret/s.txt']) await writeFile(join(folder, path), path)
  const mount: Mount = await ask('POST', '/api/mounts', { name, root, folder: `/${name}` })
  await ask('PUT', `/api/mounts/${mount.id}/access/user/${user.id}`, { rights })
  return { user, files: await person(server, user.name, GOOD_PASSWORD), mount, at: `/${name}`, folder }
}

async function groupWith({ mount, user }: There, rights: string[]): Promise<{ id: string; name: string }> {
  const { id, name } = await ask('POST', '/api/groups', { name: uniqueName('g'), description: '', perm: {}, rules: [] })
  await ask('PUT', `/api/groups/${id}/members/${user.id}`)
  await ask('PUT', `/api/mounts/${mount.id}/access/group/${id}`, { rights })
  return { id, name }
}

const why = async (token: string, path: string, action: string, user = ''): Promise<WhyAnswer> =>
  json(
    await call(server, `/api/why?path=${encodeURIComponent(path)}&action=${action}${user && `&user=${user}`}`, {
      token,
    }),
  )
const stepsOf = async ({ files }: There, path: string, action: string): Promise<WhyStep[]> =>
  (await why(files.token, path, action)).steps

describe('ROOT-09 the reason in a mount', () => {
  test('names the mount, and who was given it with the permission', async () => {
    const there = await mounted(['download'])
    const { at, user, folder } = there
    const group = await groupWith(there, ['download', 'create'])
    const place = { check: 'place', ok: true, place: { kind: 'mount', path: at } }
    expect(await stepsOf(there, `${at}/one.txt`, 'read')).toEqual([
      place,
      { check: 'permission', ok: true, given: [{ permission: 'download', own: true, groups: [group] }] },
      { check: 'rule', ok: true, by: 'none' },
      { check: 'file', ok: true },
      { check: 'mode', ok: true },
    ])
    const created = await stepsOf(there, `${at}/new.txt`, 'create')
    expect(created[1]?.given).toEqual([{ permission: 'create', own: false, groups: [group] }])
    const answer = await why(admin.token, `${at}/one.txt`, 'read', user.name)
    expect(answer).toMatchObject({ allowed: true, place: `//media${at}/one.txt` })
    expect(JSON.stringify(answer)).not.toContain(folder)
  })

  test('names what its rights do not give, whatever the user may do at home', async () => {
    const there = await mounted(['download'])
    expect(await stepsOf(there, `${there.at}/one.txt`, 'rename')).toEqual([
      { check: 'place', ok: true, place: { kind: 'mount', path: there.at } },
      { check: 'permission', ok: false, missing: ['rename'] },
    ])
    expect((await stepsOf(there, '/nothing', 'rename'))[0]).toEqual({ check: 'permission', ok: true })
  })

  test.each(['the mount', 'its root'] as const)('says that nothing is changed where %s is read only', async what => {
    const there = await mounted(['download', 'create'], what === 'its root' ? 'archive' : 'media')
    const { mount, at } = there
    if (what === 'the mount') await ask('PUT', `/api/mounts/${mount.id}`, { name: mount.name, readOnly: true })
    expect(await stepsOf(there, `${at}/new.txt`, 'create')).toEqual([
      { check: 'place', ok: true, place: { kind: 'mount', path: at, readOnly: true } },
      { check: 'permission', ok: false, missing: ['create'] },
    ])
  })

  test('is the rule about the path that the user sees, and is the same whether or not a denied entry exists', async () => {
    const there = await mounted(['download', 'create', 'rename', 'modify', 'delete'])
    const { at, user, folder } = there
    await symlink('secret/s.txt', join(folder, 'link.txt'))
    const rule = { regex: false, allow: false, path: `${at}/secret`, regexp: null }
    await admin.update(user.id, ['rules'], { rules: [rule] })
    expect((await stepsOf(there, `${at}/secret/s.txt`, 'read')).at(-1)).toEqual({ check: 'rule', ok: false, by: 'own' })
    expect(await why(there.files.token, `${at}/secret/s.txt`, 'read')).toEqual(
      await why(there.files.token, `${at}/secret/none`, 'read'),
    )
    const link = (await why(admin.token, `${at}/link.txt`, 'read', user.name)).steps.at(-1)
    expect(link).toMatchObject({ check: 'link', ok: false, by: 'own', leads: `${at}/secret/s.txt` })
    expect((await stepsOf(there, `${at}/link.txt`, 'read')).at(-1)).toEqual({
      ...{ check: 'link', ok: false, code: 'outside_scope' },
    })
  })

  test('is the mount itself for what would take it away, and its root where that is not there', async () => {
    const there = await mounted(['download', 'delete', 'rename'], 'away')
    const { at } = there
    for (const action of ['remove', 'rename'])
      expect((await stepsOf(there, at, action)).at(0)).toEqual({
        ...{ check: 'place', ok: false, code: 'forbidden', place: { kind: 'mount', path: at } },
      })
    expect((await why(there.files.token, at, 'list')).allowed).toBe(true)
    await rm(disk.away, { recursive: true })
    expect((await stepsOf(there, `${at}/one.txt`, 'read')).at(-1)).toMatchObject({ ok: false, code: 'unavailable' })
  })

  test('is that of any missing folder for a user without it', async () => {
    const { at } = await mounted(['download'])
    const other = await mounted(['download'])
    const about = async (path: string) => JSON.stringify(await why(other.files.token, path, 'read'))
    expect(await about(`${at}/one.txt`)).toBe(await about('/missing/one.txt'))
  })

  test('agrees with the operations', async () => {
    const there = await mounted(['download', 'create'])
    const { at, user, files } = there
    const rule = { regex: false, allow: false, path: `${at}/secret`, regexp: null }
    await admin.update(user.id, ['rules'], { rules: [rule] })
    for (const path of ['/one.txt', '/secret/s.txt', '/missing'])
      expect([path, (await files.raw(at + path)).status === 200]).toEqual([
        path,
        (await why(files.token, at + path, 'read')).allowed,
      ])
    for (const path of ['/new.txt', '/secret/new.txt'])
      expect([path, (await files.put(at + path, 'new')).status === 200]).toEqual([
        path,
        (await why(files.token, at + path, 'create')).allowed,
      ])
    const removed = await call(server, `/api/resources${encode(`${at}/one.txt`)}`, {
      method: 'DELETE',
      token: files.token,
    })
    expect([removed.status, (await why(files.token, `${at}/one.txt`, 'remove')).allowed]).toEqual([403, false])
  })
})

describe('ROOT-01 a mount that is given with `inherit`', () => {
  test('allows what the user may do at home, by groups too, as long as they may', async () => {
    const there = await mounted(['inherit'])
    const { at, user, files } = there
    const own = async () => json(await call(server, '/api/mounts/own', { token: files.token }))[0].rights
    expect(await own()).toEqual(['download', 'rename'])
    expect((await files.raw(`${at}/one.txt`)).status).toBe(200)
    expect((await files.put(`${at}/new.txt`, 'new')).status).toBe(403)
    const { id } = await ask('POST', '/api/groups', {
      ...{ name: uniqueName('g'), description: '', perm: { create: true, share: true, admin: false }, rules: [] },
    })
    await ask('PUT', `/api/groups/${id}/members/${user.id}`)
    expect(await own()).toEqual(['download', 'create', 'rename', 'share'])
    expect((await files.put(`${at}/new.txt`, 'new')).status).toBe(200)
    await ask('DELETE', `/api/groups/${id}/members/${user.id}`)
    expect((await files.put(`${at}/other.txt`, 'new')).status).toBe(403)
    await admin.update(user.id, ['perm'], { perm: perm() })
    expect((await files.raw(`${at}/one.txt`)).status).toBe(403)
    expect(await own()).toEqual([])
    expect((await files.get(`${at}/`)).status).toBe(200)
  })

  test('adds to what is given besides, and is cut by a mount that is read only', async () => {
    const there = await mounted(['inherit', 'create'])
    const { at, mount, files } = there
    expect((await files.put(`${at}/new.txt`, 'new')).status).toBe(200)
    expect((await stepsOf(there, `${at}/one.txt`, 'read'))[1]).toEqual({
      ...{ check: 'permission', ok: true },
      given: [{ permission: 'download', own: false, groups: [], inherited: true }],
    })
    const [access] = (await ask('GET', `/api/mounts/${mount.id}`)).access
    expect(access.rights).toEqual(['inherit', 'create'])
    await ask('PUT', `/api/mounts/${mount.id}`, { name: mount.name, readOnly: true })
    expect((await stepsOf(there, `${at}/one.txt`, 'rename')).at(-1)).toMatchObject({ missing: ['rename'] })
    expect((await files.raw(`${at}/one.txt`)).status).toBe(200)
  })

  test('gives an administrator no command and no administration there', async () => {
    const { id, name } = (await ask('POST', '/api/mounts', {
      ...{ name: uniqueName('Team'), root: 'media', folder: `/${uniqueName('new')}`, make: true },
    })) as Mount
    await ask('PUT', `/api/mounts/${id}/access/group/everyone`, { rights: ['inherit'] })
    const own = json(await call(server, '/api/mounts/own', { token: admin.token })) as OwnMount[]
    expect(own.find(({ path }) => path === `/${name}`)?.rights).toEqual([...MOUNT_RIGHTS])
    await ask('DELETE', `/api/mounts/${id}`)
  })
})

describe.runIf(canBeNobody)('ROOT-09 the reason of the file system in a mount', async () => {
  const options = await asNobody()
  const media = join(options.home, 'media')
  await mkdir(join(media, 'closed'), { recursive: true })
  await writeFile(join(media, 'closed/a.txt'), 'a')
  await chmod(join(media, 'closed'), 0o700)
  await writeFile(join(options.home, 'roots.json'), JSON.stringify({ roots: { media } }))
  const other = await serve({ ...options, args: ['--config', join(options.home, 'roots.json')] })
  const { token } = await manager(other)
  const mount: Mount = json(await send(other, 'POST', '/api/mounts', token, { name: 'Team', root: 'media' }))
  await send(other, 'PUT', `/api/mounts/${mount.id}/access/group/everyone`, token, { rights: ['download'] })

  test('names the folder that lacks the right by the path of the user, and its command for administrators', async () => {
    const { steps } = json(await call(other, '/api/why?path=/Team/closed/a.txt&action=read', { token }))
    const { rights, ...step } = steps.at(-1)
    expect(step).toEqual({ check: 'mode', ok: false, code: 'server_refused' })
    expect(rights).toMatchObject({ path: '/Team/closed', lacks: 'read', owner: { id: 0 } })
    expect(rights.line).toContain(join(media, 'closed'))
  })
})
