import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Group, GroupMembers, UserAccess } from '../../shared/api/groups.ts'
import { PERMISSIONS } from '../../shared/permissions.ts'
import { GOOD_PASSWORD, manager, newcomer, perm, send } from './accounts.ts'
import { call, claimsOf, json, signIn } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)
const made: string[] = []
afterEach(async () => {
  for (const id of made.splice(0)) await ask('DELETE', `/api/groups/${id}`)
})

const ask = (method: string, path: string, body?: unknown, token = admin.token) => send(wire, method, path, token, body)
const fields = (more: object = {}) => ({ name: uniqueName('g'), description: '', perm: {}, rules: [], ...more })
async function group(more: object = {}): Promise<Group> {
  const answer = await ask('POST', '/api/groups', fields(more))
  if (answer.status !== 201) throw new Error(`The group was not created: ${answer.status} ${answer.text}`)
  made.push(json(answer).id)
  return json(answer)
}
const enter = (id: string, user: number, body?: object) => ask('PUT', `/api/groups/${id}/members/${user}`, body)
const leave = (id: string, user: number) => ask('DELETE', `/api/groups/${id}/members/${user}`)
const statuses = async (...asked: ReturnType<typeof ask>[]) => (await Promise.all(asked)).map(({ status }) => status)

/** A user who may do nothing, in a folder of their own. */
async function nobody(more: object = {}) {
  const there = await corner(wire)
  await writeFile(join(there.disk, 'a.txt'), 'alpha')
  await mkdir(join(there.disk, 'secret'))
  const user = await newcomer(wire, admin, { scope: there.path, perm: perm(), ...more })
  const token = await signIn(wire, user.name, GOOD_PASSWORD)
  return { ...user, token }
}

describe('a group', () => {
  test('is created, listed with its members, changed and deleted', async () => {
    const { id, name } = await group({ description: 'All of us', perm: { download: true } })
    const user = await nobody()
    expect((await enter(id, user.id)).status).toBe(204)
    const list: Group[] = json(await ask('GET', '/api/groups'))
    expect(list[0]).toMatchObject({ id: 'everyone', sources: {} })
    expect(list.at(-1)).toEqual({
      ...{ id, name, description: 'All of us', perm: perm('download'), rules: [], members: 1, sources: { manual: 1 } },
    })
    const one = await ask('GET', `/api/groups/${id}`)
    const etag = one.headers.get('etag') ?? ''
    const put = (match: string) =>
      call(wire, `/api/groups/${id}`, {
        method: 'PUT',
        token: admin.token,
        headers: { 'If-Match': match },
        body: JSON.stringify(fields({ name, perm: { create: true } })),
      })
    expect((await put('"other"')).status).toBe(412)
    expect(json(await put(etag))).toMatchObject({ perm: perm('create'), members: 1 })
    expect((await put(etag)).status).toBe(412)
    expect(await statuses(ask('DELETE', `/api/groups/${id}`))).toEqual([204])
    expect(await statuses(ask('GET', `/api/groups/${id}`), ask('DELETE', `/api/groups/${id}`))).toEqual([404, 404])
    expect((await admin.get(user.id)).status).toBe(200)
  })

  test('is refused with a field that cannot be, and with the name of another', async () => {
    const { id, name } = await group()
    const { id: other } = await group()
    const wrong = [{ name: '' }, { name: 'a/b' }, { rules: [{ regex: true, regexp: { raw: '(' } }] }, { perm: 'all' }]
    for (const more of wrong) expect((await ask('POST', '/api/groups', fields(more))).status).toBe(400)
    expect((await ask('PUT', `/api/groups/${id}`, fields({ name: '.' }))).status).toBe(400)
    const taken = fields({ name: name.toUpperCase() })
    expect(await statuses(ask('POST', '/api/groups', taken), ask('PUT', `/api/groups/${other}`, taken))).toEqual([
      409, 409,
    ])
    expect(await statuses(ask('PUT', '/api/groups/none', fields()))).toEqual([404])
  })

  test('is only for administrators', async () => {
    const { token } = await nobody()
    const { id } = await group()
    const calls = [
      ...['GET /api/groups', 'POST /api/groups', 'PUT /api/groups/order', `GET /api/groups/${id}`],
      ...[`PUT /api/groups/${id}`, `DELETE /api/groups/${id}`, `GET /api/groups/${id}/members`],
      ...[`PUT /api/groups/${id}/members/1`, `DELETE /api/groups/${id}/members/1`, 'GET /api/users/1/access'],
    ]
    for (const line of calls) {
      const [method = '', path = ''] = line.split(' ')
      expect((await ask(method, path, method === 'PUT' ? fields() : undefined, token)).status, line).toBe(403)
      expect((await call(wire, path, { method })).status, line).toBe(401)
    }
    expect((await call(wire, '/api/account/access')).status).toBe(401)
  })

  test('has members by id, who come and go', async () => {
    const { id } = await group()
    const [ann, ben] = [await nobody(), await nobody()]
    const end = new Date(Date.now() + 3_600_000).toISOString()
    expect(await statuses(enter(id, ben.id))).toEqual([204])
    expect(await statuses(enter(id, ann.id, { expires: end }))).toEqual([204])
    const page: GroupMembers = json(await ask('GET', `/api/groups/${id}/members`))
    expect(page).toEqual({
      members: [
        { id: ann.id, username: ann.name, sources: ['manual'], expires: end },
        { id: ben.id, username: ben.name, sources: ['manual'], expires: null },
      ],
      more: false,
    })
    expect(json(await ask('GET', `/api/groups/${id}/members?after=${ann.id}`)).members).toHaveLength(1)
    expect(
      await statuses(ask('GET', `/api/groups/${id}/members?after=x`), ask('GET', '/api/groups/none/members')),
    ).toEqual([400, 404])
    expect(await statuses(enter(id, ann.id, { expires: '2001-01-01T00:00:00Z' }), enter('everyone', ann.id))).toEqual([
      400, 400,
    ])
    expect(await statuses(enter(id, 999_999), enter('none', ann.id), leave('none', ann.id))).toEqual([404, 404, 404])
    expect(await statuses(leave(id, ann.id))).toEqual([204])
    expect(await statuses(leave(id, ann.id), leave(id, 999_999))).toEqual([404, 404])
  })

  test('changes its place among the others, unless another request has changed the order', async () => {
    const [first, second] = [await group(), await group()]
    const list = await ask('GET', '/api/groups')
    const ids = json(list)
      .map(({ id }: Group) => id)
      .slice(1)
    const put = (body: object, match = '*') =>
      call(wire, '/api/groups/order', {
        method: 'PUT',
        token: admin.token,
        headers: { 'If-Match': match },
        body: JSON.stringify(body),
      })
    const turned = [...ids.slice(0, -2), second.id, first.id]
    const etag = list.headers.get('etag') ?? ''
    expect(
      json(await put({ ids: turned }, etag))
        .map(({ id }: Group) => id)
        .slice(1),
    ).toEqual(turned)
    expect((await put({ ids }, etag)).status).toBe(412)
    expect((await put({ ids: [] })).status).toBe(400)
  })

  test('is recorded with each change of it and its members', async () => {
    const { id, name } = await group()
    const user = await nobody()
    await enter(id, user.id)
    await leave(id, user.id)
    await ask('PUT', `/api/groups/${id}`, fields({ name }))
    await ask('DELETE', `/api/groups/${id}`)
    const { rows } = json(await call(wire, '/api/audit', { token: admin.token }))
    const found = rows.filter(({ target }: { target: string }) => target.startsWith(name))
    expect(found.map(({ action, target }: { action: string; target: string }) => `${action} ${target}`)).toEqual([
      `group.remove ${name}`,
      `group.change ${name}`,
      `group.member ${name}: - ${user.name}`,
      `group.member ${name}: + ${user.name}`,
      `group.add ${name}`,
    ])
  })
})

describe('a member', () => {
  test('GRP-01 has a permission from the next request on, and no longer once the group loses it', async () => {
    const { token, id: user } = await nobody()
    const { id, name } = await group()
    const read = () => call(wire, '/api/raw/a.txt', { token })
    await enter(id, user)
    expect((await read()).status).toBe(403)
    await ask('PUT', `/api/groups/${id}`, fields({ name, perm: { download: true } }))
    const answer = await read()
    expect([answer.status, answer.headers.get('x-renew-token')]).toEqual([200, 'true'])
    const renewed = (await call(wire, '/api/renew', { method: 'POST', token })).text
    expect(claimsOf(renewed).user.perm).toEqual(perm('download'))
    await ask('DELETE', `/api/groups/${id}`)
    expect((await read()).status).toBe(403)
  })

  test('is an administrator by a group, and sees in the list of users what each has of their own', async () => {
    const { token, id: user } = await nobody()
    const { id } = await group({ perm: { admin: true } })
    await enter(id, user)
    expect((await call(wire, '/api/settings', { token })).status).toBe(200)
    const list = json(await call(wire, '/api/users', { token }))
    expect(list.find((one: { id: number }) => one.id === user).perm).toEqual(perm())
    await leave(id, user)
    expect((await call(wire, '/api/settings', { token })).status).toBe(403)
  })

  test('GRP-08 keeps the groups and gets nothing of them as their own when a client saves the whole user', async () => {
    const { id: user } = await nobody()
    const { id } = await group({ perm: { create: true, download: true } })
    await enter(id, user)
    expect((await admin.update(user, [], json(await admin.get(user)))).status).toBe(200)
    const access: UserAccess = json(await ask('GET', `/api/users/${user}/access`))
    expect(access).toMatchObject({ own: perm(), perm: perm('create', 'download') })
    expect(access.groups.map(one => one.id)).toEqual(['everyone', id])
  })

  test('is under the rules of the group, but those of their own win; both are explained', async () => {
    const rule = { regex: false, allow: false, path: '/secret', regexp: null }
    const { token, id: user, name } = await nobody({ perm: perm('create') })
    const { id, name: groupName } = await group({ perm: { download: true }, rules: [rule] })
    await enter(id, user)
    const why = async (path: string) => json(await ask('GET', `/api/why?path=${path}&action=read&user=${name}`)).steps
    expect((await call(wire, '/api/resources/secret/', { token })).status).toBe(403)
    expect(await why('/secret')).toEqual([
      {
        check: 'permission',
        ok: true,
        given: [{ permission: 'download', own: false, groups: [{ id, name: groupName }] }],
      },
      { check: 'rule', ok: false, by: 'group', group: { id, name: groupName }, rule },
    ])
    await admin.update(user, ['rules'], { rules: [{ ...rule, allow: true }] })
    expect((await call(wire, '/api/resources/secret/', { token })).status).toBe(200)
    expect((await why('/secret'))[1]).toMatchObject({ ok: true, by: 'own' })
  })

  test('shares by links as far as the groups allow', async () => {
    const { token, id: user } = await nobody()
    const { id } = await group({ perm: { share: true, download: true } })
    await enter(id, user)
    const { hash } = json(await ask('POST', '/api/share/a.txt', {}, token))
    const open = () => call(wire, `/api/public/share/${hash}`)
    expect((await open()).status).toBe(200)
    await leave(id, user)
    expect((await open()).status).toBe(403)
  })
})

describe('the access of a user', () => {
  test('is shown with its causes, to the user without rules', async () => {
    const rule = { regex: false, allow: false, path: '/x', regexp: null }
    const { token, id: user, name } = await nobody({ perm: perm('create') })
    const { id, name: groupName } = await group({ perm: { delete: true }, rules: [rule] })
    await enter(id, user)
    const own: UserAccess = json(await call(wire, '/api/account/access', { token }))
    expect(own).toMatchObject({ username: name, perm: perm('create', 'delete'), own: perm('create') })
    expect(own.groups.at(-1)).toEqual({ id, name: groupName, perm: perm('delete'), sources: ['manual'], expires: null })
    expect(own.rules).toBeUndefined()
    const shown: UserAccess = json(await ask('GET', `/api/users/${user}/access`))
    expect(shown.rules?.at(-1)).toEqual({ rule, by: 'group', group: { id, name: groupName } })
    expect(Object.keys(shown.perm)).toEqual([...PERMISSIONS])
    const label = { label: 'program', scopes: ['read'], current_password: GOOD_PASSWORD }
    const program: string = json(await ask('POST', '/api/tokens', label, token)).token
    expect((await call(wire, '/api/account/access', { token: program })).status).toBe(403)
    expect(await statuses(ask('GET', '/api/users/999999/access'), ask('GET', '/api/users/x/access'))).toEqual([
      404, 404,
    ])
  })
})
