import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { GOOD_PASSWORD, manager, newUser, perm, send } from './accounts.ts'
import { call, json, login, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { openInstance } from './instance.ts'
import { configure } from './people.ts'

const wire = await openInstance()
const admin = await manager(wire)
const DEFAULTS = json(await admin.settings()).defaults
await configure(wire, { signup: true, createUserDir: true, userHomeBasePath: '/homes' })

const signUp = (body: unknown) => send(wire, 'POST', '/api/signup', undefined, body)
const register = (username: string, password = GOOD_PASSWORD) => signUp({ username, password })
const recordOf = async (name: string) =>
  json(await admin.list()).find((user: { username: string }) => user.username === name)
const count = async () => json(await admin.list()).length

describe('signing up', () => {
  test('creates an account that can sign in and has an empty home', async () => {
    const name = uniqueName('new')
    const answer = await register(name)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('200 OK\n')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(existsSync(join(wire.root, 'homes', name))).toBe(true)
    const who = await person(wire, name, GOOD_PASSWORD)
    expect(json(await who.get('/')).items).toEqual([])
    expect((await who.put('/mine.txt', 'x')).status).toBe(200)
    expect(await readdir(join(wire.root, 'homes', name))).toEqual(['mine.txt'])
  })

  test('is refused with 405 where it is disabled, for any body', async () => {
    const before = await count()
    await admin.change({ signup: false })
    onTestFinished(async () => {
      await admin.change({ signup: true })
    })
    for (const body of [{ username: 'x', password: GOOD_PASSWORD }, {}, undefined]) {
      const answer = await signUp(body)
      expect(answer.status).toBe(405)
      expect(answer.text).toBe('405 Method Not Allowed\n')
    }
    expect(await count()).toBe(before)
  })

  test.each([
    ['no body', undefined, 'username is empty'],
    ['broken JSON', '{"username":', ''],
    ['no name', { username: '', password: GOOD_PASSWORD }, 'username is empty'],
    ['no password', { username: 'someone' }, 'password is empty'],
    ['a short password', { username: 'someone', password: 'short' }, 'minimum length is 12'],
    ['a common password', { username: 'someone', password: 'Password1234' }, 'password is too easy'],
    ['a number as name', { username: 7, password: GOOD_PASSWORD }, 'username'],
  ])('is refused with %s', async (_what, body, cause) => {
    const before = await count()
    const answer = await signUp(body)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(cause)
    expect(await count()).toBe(before)
  })

  test.each(['..', '.', 'a/../b', '/etc', 'a/b', 'a\\b', 'x\ny', 'x\0', '.ssh', 'dot.', 'con', ' x', 'y'.repeat(256)])(
    'as %j is refused and creates no folder',
    async name => {
      const before = await readdir(join(wire.root, 'homes')).catch(() => [])
      expect((await register(name)).status).toBe(400)
      expect(await readdir(join(wire.root, 'homes')).catch(() => [])).toEqual(before)
    },
  )

  test('with a taken name is a conflict', async () => {
    const name = uniqueName('new')
    expect((await register(name)).status).toBe(200)
    expect((await register(name, 'another-good-phrase-7')).status).toBe(409)
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(200)
    expect((await register('admin')).status).toBe(409)
  })

  test.each([
    [(name: string) => name.toUpperCase(), 'in capitals'],
    [(name: string) => name.replace('-', '+'), 'with another sign that a folder cannot have'],
    [(name: string) => name.replace('-', 'é').normalize('NFC'), 'with a letter that a folder cannot have'],
  ])('with another user’s home is a conflict: $1', async twin => {
    const name = uniqueName('home')
    expect((await register(name)).status).toBe(200)
    const before = await count()
    expect((await register(twin(name))).status).toBe(409)
    expect(await count()).toBe(before)
  })

  test('HOME-01 never assigns a folder that has content', async () => {
    const name = uniqueName('left')
    await mkdir(join(wire.root, 'homes', name), { recursive: true })
    await writeFile(join(wire.root, 'homes', name, 'letter.txt'), 'dear')
    expect((await register(name)).status).toBe(409)
    expect(await recordOf(name)).toBeUndefined()
  })

  test('HOME-01 never assigns a folder that is within another user’s home', async () => {
    const name = uniqueName('above')
    await admin.add(uniqueName('u'), { scope: `/HOMES/${name}/inner` })
    expect((await register(name)).status).toBe(409)
  })

  test('twenty times at once with one name creates one account', async () => {
    const name = uniqueName('race')
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(name)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  test('HOME-02 grants no permission from the request', async () => {
    const name = uniqueName('greedy')
    const body = { ...newUser(name, { perm: perm('admin', 'execute'), scope: '/', commands: ['sh'] }), id: 1 }
    expect((await signUp(body)).status).toBe(200)
    expect(await recordOf(name)).toMatchObject({ scope: `/homes/${name}`, commands: [] })
    expect((await recordOf(name)).perm).toMatchObject({ admin: false, execute: false })
    expect((await recordOf('admin')).id).toBe(1)
  })

  test('HOME-02 grants neither administration nor execution from the defaults', async () => {
    const dangerous = { ...DEFAULTS, perm: perm('admin', 'execute', 'create', 'share'), commands: ['sh'], locale: 'de' }
    await admin.change({ defaults: dangerous })
    const name = uniqueName('heir')
    expect((await register(name)).status).toBe(200)
    expect(await recordOf(name)).toMatchObject({
      perm: perm('create'),
      commands: [],
      locale: 'de',
      lockPassword: false,
    })
    const who = await person(wire, name, GOOD_PASSWORD)
    expect((await call(wire, '/api/users', { token: who.token })).status).toBe(403)
    await admin.change({ defaults: DEFAULTS })
  })

  test.each(['.', '', '/', './'])(
    'HOME-02 creates a home even if homes are disabled and the default scope is %j',
    async scope => {
      await admin.change({ createUserDir: false, defaults: { ...DEFAULTS, scope } })
      const name = uniqueName('root')
      expect((await register(name)).status).toBe(200)
      expect((await recordOf(name)).scope).toBe(`/homes/${name}`)
      await admin.change({ createUserDir: true, defaults: DEFAULTS })
    },
  )

  test('assigns the shared folder that an administrator chose', async () => {
    await admin.change({ createUserDir: false, defaults: { ...DEFAULTS, scope: '/club' } })
    const [one, two] = [uniqueName('club'), uniqueName('club')]
    expect((await register(one)).status).toBe(200)
    expect((await register(two)).status).toBe(200)
    expect((await recordOf(two)).scope).toBe('/club')
    await admin.change({ createUserDir: true, defaults: DEFAULTS })
  })
})

describe('homes of users created by an administrator', () => {
  test('are created when the scope is empty', async () => {
    const name = `${uniqueName('Zoë')} & co`
    await admin.add(name, { scope: '' })
    expect((await recordOf(name)).scope).toMatch(/^\/homes\/Zo-[0-9a-f-]+-co$/)
    expect(existsSync(join(wire.root, (await recordOf(name)).scope))).toBe(true)
  })

  test('that belong to another user are a conflict, an explicit scope may be shared', async () => {
    const name = uniqueName('twin')
    await admin.add(name, { scope: '' })
    expect((await admin.create(newUser(name.toUpperCase(), { scope: '' }))).status).toBe(409)
    await admin.add(name.toUpperCase(), { scope: `/homes/${name}` })
  })
})
