import { describe, expect, test } from 'vitest'
import { manager, newcomer, send } from './accounts.ts'
import { call, json, person } from './client.ts'
import { openInstance } from './instance.ts'
import { configure } from './people.ts'

const wire = await openInstance()
const admin = await manager(wire)
await configure(wire, {})
const put = (body: unknown) => send(wire, 'PUT', '/api/settings', admin.token, body)

const EVENTS = ['save', 'copy', 'rename', 'upload', 'delete'].flatMap(name => [`before_${name}`, `after_${name}`])
const FIELDS = [
  'signup',
  'hideLoginButton',
  'createUserDir',
  'minimumPasswordLength',
  'userHomeBasePath',
  'defaults',
  'authMethod',
  'rules',
  'branding',
  'tus',
  'shell',
  'commands',
]

describe('settings', () => {
  test('have every field, and a list of commands for every event', async () => {
    const answer = await admin.settings()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(Object.keys(json(answer)).sort()).toEqual([...FIELDS].sort())
    expect(Object.keys(json(answer).commands).sort()).toEqual([...EVENTS].sort())
    expect(Object.keys(json(answer).branding).sort()).toEqual(
      ['name', 'disableExternal', 'disableUsedPercentage', 'files', 'theme', 'color'].sort(),
    )
  })

  test('are for administrators', async () => {
    const { token } = await newcomer(wire, admin)
    expect((await call(wire, '/api/settings', { token })).status).toBe(403)
    expect((await send(wire, 'PUT', '/api/settings', token, {})).status).toBe(403)
  })

  test('are returned as they were saved', async () => {
    const wanted = {
      ...json(await admin.settings()),
      createUserDir: true,
      minimumPasswordLength: 14,
      userHomeBasePath: '/homes',
      branding: {
        name: 'Harbour',
        disableExternal: true,
        disableUsedPercentage: true,
        files: '',
        theme: 'dark',
        color: '#123',
      },
      rules: [{ regex: true, allow: false, path: '', regexp: { raw: '(?i)\\.bak$' } }],
      shell: ['sh', '-c'],
      tus: { chunkSize: 1_048_576, retryCount: 2 },
      commands: { ...Object.fromEntries(EVENTS.map(event => [event, []])), after_upload: ['logger $FILE', 'true &'] },
    }
    const answer = await put(wanted)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('200 OK\n')
    expect(json(await admin.settings())).toEqual(wanted)
    await put({})
  })

  test('LOCK-06 replace the version that was read, if it is named, and no other', async () => {
    const put = (settings: object, version: string) =>
      call(wire, '/api/settings', {
        method: 'PUT',
        token: admin.token,
        headers: { 'If-Match': version },
        body: JSON.stringify(settings),
      })
    const read = await admin.settings()
    const [before, version] = [json(read), read.headers.get('etag') ?? '']
    expect((await put({ ...before, shell: ['first'] }, version)).status).toBe(200)
    for (const stale of [version, `W/${version}`, '"x"', '']) {
      expect((await put({ ...before, shell: ['second'] }, stale)).status).toBe(412)
    }
    expect(json(await admin.settings()).shell).toEqual(['first'])
    const now = (await admin.settings()).headers.get('etag') ?? ''
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(word => put({ ...before, shell: [word] }, `W/${now}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412])
    expect((await put(before, '*')).status).toBe(200)
  })

  test('that are missing are reset to their defaults', async () => {
    await admin.change({ signup: true, shell: ['sh'], rules: [{ path: '/x' }], commands: { after_save: ['true'] } })
    expect((await put({ minimumPasswordLength: 0, userHomeBasePath: '', commands: null, rules: null })).status).toBe(
      200,
    )
    const settings = json(await admin.settings())
    expect(settings).toMatchObject({ signup: false, shell: [], rules: [], minimumPasswordLength: 12 })
    expect(settings.userHomeBasePath).toBe('/users')
    expect(settings.commands).toEqual(Object.fromEntries(EVENTS.map(event => [event, []])))
    expect(Object.values(settings.defaults.perm)).not.toContain(true)
  })

  test('ignore unknown fields and the authentication method', async () => {
    expect((await admin.change({ authMethod: 'noauth', key: 'x', logoutPage: 'x', shoeSize: 42 })).status).toBe(200)
    const settings = json(await admin.settings())
    expect(Object.keys(settings).sort()).toEqual([...FIELDS].sort())
    expect(settings.authMethod).toBe('json')
    expect((await call(wire, '/api/resources/')).status).toBe(401)
  })

  test.each([
    ['an empty body', undefined, 'body'],
    ['broken JSON', '{"signup":', ''],
    ['an array', '[]', 'body'],
    ['a text as switch', { signup: 'yes' }, 'signup'],
    ['a negative length', { minimumPasswordLength: -1 }, 'minimumPasswordLength'],
    ['an unknown theme', { branding: { theme: 'neon' } }, 'branding.theme'],
    ['a text as list', { shell: 'sh -c' }, 'shell'],
    ['a text as command lines', { commands: { after_save: 'true' } }, 'commands.after_save'],
    ['a home folder that climbs', { userHomeBasePath: '/../etc' }, 'userHomeBasePath'],
    ['a default scope that climbs', { defaults: { scope: '../..' } }, 'defaults.scope'],
    ['a broken expression', { rules: [{ path: '/a' }, { regex: true, regexp: { raw: '[' } }] }, 'rules[1].regexp.raw'],
    [
      'a look-behind, which is no linear expression',
      { rules: [{ regex: true, regexp: { raw: '(?<=a)b' } }] },
      'rules[0]',
    ],
    ['a rule without its expression', { rules: [{ regex: true, regexp: null }] }, 'rules[0].regexp'],
    [
      'an expression of 1 025 bytes',
      { rules: [{ regex: true, regexp: { raw: 'x'.repeat(1025) } }] },
      'rules[0].regexp.raw',
    ],
    [
      'an expression of 1 026 bytes in 513 characters',
      { rules: [{ regex: true, regexp: { raw: 'ü'.repeat(513) } }] },
      'raw',
    ],
    ['101 rules', { rules: Array(101).fill({ path: '/x' }) }, 'rules'],
  ])('are refused with %s', async (_what, body, cause) => {
    const before = (await admin.settings()).text
    const answer = await put(body)
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/^400 Bad Request( \(.*\))?\n$/s)
    expect(answer.text).toContain(cause)
    expect((await admin.settings()).text).toBe(before)
  })

  test('may have a body of nearly 1 MiB and not more', async () => {
    const line = 'x'.repeat(8000)
    const body = (lines: number) => ({ commands: { after_save: Array(lines).fill(line) } })
    expect((await put(body(125))).status).toBe(200)
    expect((await put(body(140))).status).toBe(413)
    expect((await put({})).status).toBe(200)
  })

  test('with an expression that is slow in other engines are validated and applied at once', async () => {
    const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '^/(a+)+$' } }]
    expect((await admin.change({ rules })).status).toBe(200)
    const began = performance.now()
    const who = await person(wire)
    expect((await who.get(`/${'a'.repeat(200)}!`)).status).toBe(404)
    expect((await who.get(`/${'a'.repeat(200)}`)).status).toBe(403)
    expect(performance.now() - began).toBeLessThan(15_000)
    await put({})
  })

  test('for rules apply to the next request of every user', async () => {
    const who = await newcomer(wire, admin)
    const list = (path: string) => call(wire, `/api/resources${path}`, { token: who.token })
    expect((await list('/kept')).status).toBe(404)
    await admin.change({ rules: [{ regex: false, allow: false, path: '/kept', regexp: null }] })
    expect((await list('/kept')).status).toBe(403)
    await put({})
    expect((await list('/kept')).status).toBe(404)
  })

  test('for the password length apply to the next password', async () => {
    await admin.change({ minimumPasswordLength: 30 })
    const who = await admin.create({ username: 'too-short', password: 'copper-anvil-drifts-9' })
    expect(who.text).toContain('minimum length is 30')
    await put({})
  })

  test('appear in the next page that is sent', async () => {
    await admin.change({ signup: true, branding: { name: 'Harbour </script>' }, tus: { chunkSize: 5, retryCount: 1 } })
    const page = (await call(wire, '/login')).text
    const [, config = ''] = /id="app-config">([^<]*)</.exec(page) ?? []
    expect(JSON.parse(config)).toMatchObject({
      Name: 'Harbour </script>',
      Signup: true,
      AuthMethod: 'json',
      LoginPage: true,
      NoAuth: false,
      LogoutPage: '/login',
      ReCaptcha: false,
      TusSettings: { chunkSize: 5, retryCount: 1 },
    })
    await put({})
  })
})
