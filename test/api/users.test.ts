import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, newUser, perm, send } from './accounts.ts'
import { call, json, login } from './client.ts'
import { uniqueName } from './harness.ts'
import { openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)

const addUser = (fields?: Record<string, unknown>) => newcomer(wire, admin, fields)
const recordOf = async (id: number) => json(await admin.get(id))

describe('the list of users', () => {
  test('is ordered by id, complete, and without passwords', async () => {
    const id = await admin.add(uniqueName('u'), { rules: [{ regex: false, allow: false, path: '/x', regexp: null }] })
    const answer = await admin.list()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const users = json(answer)
    const ids = users.map((user: { id: number }) => user.id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    const made = users.find((user: { id: number }) => user.id === id)
    expect(Object.keys(made).sort()).toEqual(
      [...Object.keys(newUser('x')), 'redirectAfterCopyMove', 'aceEditorTheme'].sort(),
    )
    expect(made.password).toBe('')
    expect(answer.text).not.toMatch(/argon2|\$2[aby]\$/)
  })

  test('is for administrators, the own record for every user', async () => {
    const { id, list, get, create } = await addUser()
    expect((await list()).status).toBe(403)
    expect((await create(newUser(uniqueName('u')))).status).toBe(403)
    expect((await get(1)).status).toBe(403)
    expect((await get(id)).status).toBe(200)
  })

  test('has when each was last active, for administrators', async () => {
    const away = await admin.add(uniqueName('u'))
    const before = Date.now()
    const { id, token } = await addUser()
    await send(wire, 'DELETE', '/api/sessions', token)
    const seen: { id: number; seen: string }[] = json(await call(wire, '/api/users/seen', { token: admin.token }))
    expect(Date.parse(seen.find(user => user.id === id)?.seen ?? '')).toBeGreaterThanOrEqual(before)
    expect(seen.map(user => user.id)).not.toContain(away)
    expect((await call(wire, '/api/users/seen', { token: (await addUser()).token })).status).toBe(403)
  })

  test('returns users everything about themselves but their scope', async () => {
    const { id, name, get } = await addUser({ scope: '/some/place' })
    expect(json(await get(id))).toMatchObject({ username: name, scope: '' })
    expect((await recordOf(id)).scope).toBe('/some/place')
  })

  test.each(['999999', 'abc', '1e0', '-1', '01x', '99999999999999999999'])('has no user %s', async id => {
    expect((await call(wire, `/api/users/${id}`, { token: admin.token })).status).toBe(404)
  })
})

describe('creating a user', () => {
  test('returns 201 with the URL of the form, and the user can sign in', async () => {
    const name = uniqueName('u')
    const answer = await admin.create(newUser(name, { id: 1 }))
    expect(answer.status).toBe(201)
    expect(answer.text).toBe('201 Created\n')
    const [, id] = /^\/settings\/users\/(\d+)$/.exec(answer.headers.get('location') ?? '') ?? []
    expect(Number(id)).toBeGreaterThan(1)
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(200)
    expect((await recordOf(1)).username).toBe('admin')
  })

  test('uses defaults for missing and null fields', async () => {
    const name = uniqueName('u')
    const answer = await admin.create({ username: name, password: GOOD_PASSWORD, rules: null, commands: null })
    expect(answer.status).toBe(201)
    const id = Number(answer.headers.get('location')?.split('/').pop())
    expect(await recordOf(id)).toEqual({
      id,
      username: name,
      password: '',
      scope: '/',
      locale: '',
      lockPassword: false,
      viewMode: 'list',
      singleClick: false,
      redirectAfterCopyMove: false,
      perm: perm(),
      commands: [],
      sorting: { by: 'name', asc: false },
      rules: [],
      hideDotfiles: false,
      dateFormat: false,
      aceEditorTheme: '',
    })
  })

  test('creates the folder of the scope', async () => {
    const folder = uniqueName('scope')
    const { get, id } = await addUser({ scope: `${folder}/deep/` })
    expect(existsSync(join(wire.root, folder, 'deep'))).toBe(true)
    expect((await get(id)).status).toBe(200)
    expect((await recordOf(id)).scope).toBe(`/${folder}/deep`)
  })

  test('with a taken name is a conflict and changes nothing', async () => {
    const { id, name } = await addUser()
    const before = await recordOf(id)
    expect((await admin.create(newUser(name, { perm: perm('admin') }))).status).toBe(409)
    expect(await recordOf(id)).toEqual(before)
  })

  test('twenty times at once with one name creates one', async () => {
    const name = uniqueName('u')
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.create(newUser(name))))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  test.each([
    ['no body', undefined, 'body'],
    ['broken JSON', '{"what":', ''],
    ['no data', { what: 'user', which: [] }, 'data'],
    ['null as data', { what: 'user', which: [], data: null }, 'data'],
    ['another what', { what: 'group', which: [], data: newUser('x') }, 'what'],
    ['fields in which', { what: 'user', which: ['locale'], data: newUser('x') }, 'which'],
    ['a number as name', { what: 'user', which: [], data: newUser('x', { username: 5 }) }, 'username'],
    ['a text as permission', { what: 'user', which: [], data: newUser('x', { perm: { admin: 'yes' } }) }, 'perm'],
    ['an unknown view', { what: 'user', which: [], data: newUser('x', { viewMode: 'cube' }) }, 'viewMode'],
    ['an unknown order', { what: 'user', which: [], data: newUser('x', { sorting: { by: 'taste' } }) }, 'sorting'],
    ['no name', { what: 'user', which: [], data: newUser('') }, 'username is empty'],
    ['no password', { what: 'user', which: [], data: newUser('x', { password: '' }) }, 'password is empty'],
    ['a scope that climbs', { what: 'user', which: [], data: newUser('x', { scope: '/../..' }) }, 'scope'],
    [
      'sharing without downloading',
      { what: 'user', which: [], data: newUser('x', { perm: perm('share') }) },
      'download',
    ],
    [
      'a broken expression',
      { what: 'user', which: [], data: newUser('x', { rules: [{ regex: true, regexp: { raw: '(' } }] }) },
      'rules[0].regexp.raw',
    ],
    [
      'a rule without its expression',
      { what: 'user', which: [], data: newUser('x', { rules: [{ regex: true, regexp: null }] }) },
      'rules[0].regexp',
    ],
    [
      'a hundred and one rules',
      { what: 'user', which: [], data: newUser('x', { rules: Array(101).fill({ path: '/x' }) }) },
      'rules',
    ],
  ])('with %s is refused with a cause', async (_what, body, cause) => {
    const before = (await admin.list()).text
    const answer = await send(wire, 'POST', '/api/users', admin.token, body)
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/^400 Bad Request( \(.*\))?\n$/)
    expect(answer.text).toContain(cause)
    expect((await admin.list()).text).toBe(before)
  })

  test.each([
    'a/b',
    'a\\b',
    '..',
    '.hidden',
    'a..b',
    'dot.',
    ' blank',
    'blank ',
    'line\nend',
    'nul\0',
    'CON',
    'lpt1.txt',
    'x'.repeat(256),
    'ü'.repeat(128),
  ])('called %j is refused', async username => {
    expect((await admin.create(newUser(username))).status).toBe(400)
  })

  test.each(['zoë@example.org', 'O’Neil, Ann', '测试', 'a.b_c-d', '😀'])('called %j succeeds', async prefix => {
    const name = `${prefix}${uniqueName('')}`
    await admin.add(name)
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(200)
  })

  test('may have a body of 100 long rules', async () => {
    const rules = Array(100).fill({ regex: true, allow: false, path: '', regexp: { raw: 'x'.repeat(1024) } })
    expect((await admin.create(newUser(uniqueName('u'), { rules }))).status).toBe(201)
  })
})

describe('a password', () => {
  test.each([
    ['a-b-c-d-e-f', 'password is too short, minimum length is 12'],
    ['password123', 'password is too short, minimum length is 12'],
    ['Password1234', 'password is too easy'],
    ['qwertyuiop12', 'password is too easy'],
    ['aaaaaaaaaaaa', 'password is too easy'],
    ['x1'.repeat(513), 'password'],
  ])('%s is refused: %s', async (password, cause) => {
    const answer = await admin.create(newUser(uniqueName('u'), { password }))
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(cause)
  })

  test('is measured in bytes', async () => {
    await admin.add(uniqueName('u'), { password: 'äöüßéñ' })
  })

  test('of 1 024 bytes works', async () => {
    const name = uniqueName('u')
    const password = `${'copper-anvil '.repeat(78)}0123456789`.slice(0, 1024)
    await admin.add(name, { password })
    expect((await login(wire, name, password)).status).toBe(200)
    expect((await login(wire, name, password.slice(0, 1023))).status).toBe(403)
  })
})
