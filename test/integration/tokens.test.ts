import { spawnSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeSecret } from '../../server/features/tokens/secret.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, json, type Place, signIn } from '../api/client.ts'
import { corner, serve } from '../api/instance.ts'
import { tusOf } from '../api/tus.ts'

const server = await serve({ args: ['--trustedProxies', '127.0.0.1', '--adminTokens', '--tokenDays', '400'] })
const admin = await manager(server)
const RIGHTS = { ...ALL_PERMISSIONS, admin: false, execute: false }
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const ask = (session: string, fields: object, password = GOOD_PASSWORD, place: Place = server) =>
  send(place, 'POST', '/api/tokens', session, {
    ...{ label: 'Backup', scopes: ['write'], expires: inDays(30), current_password: password },
    ...fields,
  })

async function make(session: string, fields: object = {}): Promise<{ id: string; token: string }> {
  const answer = await ask(session, fields)
  if (answer.status !== 201) throw new Error(`no token: ${answer.status} ${answer.text}`)
  return json(answer)
}

const someone = () => newcomer(server, admin, { perm: RIGHTS })
const end = (session: string, id: string) => call(server, `/api/tokens/${id}`, { method: 'DELETE', token: session })
/** As a proxy passes an address on. */
const from = (address: string, token: string) => ({ headers: { 'X-Forwarded-For': address }, token })

/** Within which everything must have ended, also on a slow machine, in milliseconds. */
const LATEST = 15_000

describe('PAT-04 a token that is ended', () => {
  test('cuts off a download and a stream of events, and cancels what it planned', async () => {
    const { token: session } = await someone()
    const { disk, path } = await corner(server)
    await writeFile(join(disk, 'big.bin'), Buffer.alloc(64 * 1024 * 1024))
    const { id, token } = await make(session)
    const headers = { Authorization: `Bearer ${token}` }
    const download = await fetch(`${server.url}/api/raw${path}/big.bin`, { headers })
    const events = await fetch(`${server.url}/api/events?folder=${path}`, { headers })
    expect([download.status, events.status]).toEqual([200, 200])
    const items = [{ from: `${path}/big.bin`, to: `${path}/copy.bin` }]
    const planned = json(await send(server, 'POST', '/api/jobs', token, { kind: 'copy', items, runAt: inDays(1) }))
    const began = performance.now()
    expect((await end(session, id)).status).toBe(204)
    await Promise.all([expect(download.arrayBuffer()).rejects.toThrow(), expect(events.text()).rejects.toThrow()])
    expect(performance.now() - began).toBeLessThan(LATEST)
    const state = async () => json(await call(server, `/api/jobs/${planned.id}`, { token: session })).state
    await expect.poll(state).toBe('cancelled')
  })

  test('takes no further piece of an upload, which its account completes', async () => {
    const { token: session } = await someone()
    const { path } = await corner(server)
    const { id, token } = await make(session)
    const [own, other] = [tusOf(server, { token }), tusOf(server, { token: session })]
    expect((await own.create(`${path}/a.txt`, 4)).status).toBe(201)
    expect((await own.patch(`${path}/a.txt`, 0, 'ab')).status).toBe(204)
    await end(session, id)
    expect((await own.patch(`${path}/a.txt`, 2, 'cd')).status).toBe(401)
    expect((await other.patch(`${path}/a.txt`, 2, 'cd')).status).toBe(204)
    expect((await call(server, `/api/raw${path}/a.txt`, { token: session })).text).toBe('abcd')
  })
})

test('an upload that a session began continues with a token', async () => {
  const { token: session } = await someone()
  const { path } = await corner(server)
  const [own, other] = [tusOf(server, { token: session }), tusOf(server, { token: (await make(session)).token })]
  await own.create(`${path}/a.txt`, 4)
  await own.patch(`${path}/a.txt`, 0, 'ab')
  expect((await other.head(`${path}/a.txt`)).headers.get('upload-offset')).toBe('2')
  expect((await other.patch(`${path}/a.txt`, 2, 'cd')).status).toBe(204)
})

test('PAT-09 a token for some networks is refused from others, whatever a client claims', async () => {
  const { token: session } = await someone()
  const { token } = await make(session, { networks: ['192.0.2.0/24', '2001:db8::/32'] })
  const open = await make(session)
  const statusFrom = async (address: string, secret = token) =>
    (await call(server, '/api/resources/', from(address, secret))).status
  for (const inside of ['192.0.2.9', '::ffff:192.0.2.9', '2001:db8::1'])
    expect([inside, await statusFrom(inside)]).toEqual([inside, 200])
  for (const outside of ['198.51.100.1', '::ffff:198.51.100.1', '2001:db9::1']) {
    expect([outside, await statusFrom(outside), await statusFrom(outside, open.token)]).toEqual([outside, 401, 200])
  }
  // The proxy appends the address it sees.
  expect(await statusFrom('192.0.2.9, 198.51.100.1')).toBe(401)
})

test('PAT-09 a token for some networks is refused to a client that is no trusted proxy and names an address of them', async () => {
  const direct = await serve()
  const { token: session } = await newcomer(direct, await manager(direct))
  const made = async (networks: readonly string[]) =>
    json(await ask(session, { networks }, GOOD_PASSWORD, direct)).token
  const [elsewhere, here] = [await made(['192.0.2.0/24']), await made(['127.0.0.0/8', '::1'])]
  const statusOf = async (token: string, headers: Record<string, string>) =>
    (await call(direct, '/api/resources/', { token, headers })).status
  for (const name of [
    'X-Forwarded-For',
    'X-Real-IP',
    'Forwarded',
    'X-Client-IP',
    'True-Client-IP',
    'CF-Connecting-IP',
  ]) {
    const claim = { [name]: name === 'Forwarded' ? 'for=192.0.2.9' : '192.0.2.9' }
    expect([name, await statusOf(elsewhere, claim), await statusOf(here, claim)]).toEqual([name, 401, 200])
  }
})

test('PAT-10 very many wrong tokens are refused with a wait, and a right one of that network is not', async () => {
  const { token } = await make((await someone()).token)
  const wrong = () => call(server, '/api/resources/', from('203.0.113.5', makeSecret()))
  const answers = []
  for (let batch = 0; batch < 11; batch++) answers.push(...(await Promise.all(Array.from({ length: 30 }, wrong))))
  const late = answers.filter(({ status }) => status === 429)
  expect(late).toHaveLength(30)
  expect(Number(late[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await call(server, '/api/resources/', from('203.0.113.5', token))).status).toBe(200)
})

test('PAT-06 the log, the audit log and the database never contain a token', async () => {
  const { token: session } = await someone()
  const { token } = await make(session)
  const mistyped = token.replace(/.$/, last => (last === 'a' ? 'b' : 'a'))
  const path = '/api/resources/'
  expect((await call(server, path, { token })).status).toBe(200)
  const refused = [
    await call(server, path, { token: mistyped }),
    await call(server, `${path}?auth=${token}`),
    await call(server, path, { headers: { Cookie: `auth=${token}`, Referer: `${server.url}/?auth=${token}` } }),
  ]
  for (const { status, text } of refused) expect([status, text]).toEqual([401, '401 Unauthorized\n'])
  const log = await server.log()
  expect(log).toContain('/api/token: 401 127.0.0.1')
  expect(log).toContain('an API token was sent in an address')
  const isFile = !server.database.startsWith('postgres')
  const folder = dirname(server.database)
  const files = isFile ? (await readdir(folder)).filter(name => /\.db(-wal)?$/.test(name)) : []
  const stored = files.map(name => readFile(join(folder, name), 'latin1'))
  const { text: audit } = await call(server, '/api/audit/export', { token: admin.token })
  for (const text of [log, audit, ...(await Promise.all(stored))]) {
    expect([text.includes(token), text.includes(mistyped)]).toEqual([false, false])
  }
})

describe('the host', () => {
  test('limits the days of tokens, and lets administrators make some that administrate', async () => {
    const { token: session } = await someone()
    for (const expires of [undefined, inDays(401)]) expect((await ask(session, { expires })).status).toBe(400)
    const own = await signIn(server)
    const fields = { scopes: ['admin'] }
    expect((await ask(own, { ...fields, expires: inDays(91) }, server.adminPassword)).status).toBe(400)
    expect((await ask(own, { ...fields, folders: ['/'] }, server.adminPassword)).status).toBe(201)
    const { token } = json(await ask(own, fields, server.adminPassword))
    expect((await call(server, '/api/users', { token })).status).toBe(200)
    expect((await call(server, '/api/resources/', { token })).status).toBe(403)
    const { id } = await someone()
    expect((await call(server, `/api/users/${id}/tokens`, { token })).status).toBe(403)
    expect((await ask(session, fields)).status).toBe(403)
  })
})

const isInstalled = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
const run = (program: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe.runIf(isInstalled('curl'))('curl', () => {
  test('uploads, lists and downloads with a token as its password', async () => {
    const { token: session, name } = await someone()
    const { disk, path } = await corner(server)
    const { token } = await make(session)
    await writeFile(join(server.home, 'up.txt'), 'sent by curl')
    const curl = (...args: string[]) =>
      run('curl', '--silent', '--show-error', '--fail', '--user', `${name}:${token}`, ...args)
    const resource = `${server.url}/api/resources${path}`
    expect(curl('--data-binary', `@${join(server.home, 'up.txt')}`, `${resource}/up.txt`).status).toBe(0)
    expect(await readFile(join(disk, 'up.txt'), 'utf8')).toBe('sent by curl')
    expect(JSON.parse(curl(`${resource}/`).stdout).items).toMatchObject([{ name: 'up.txt' }])
    expect(curl(`${server.url}/api/raw${path}/up.txt`).stdout).toBe('sent by curl')
  })
})

const rclone = process.env.FILIGREE_RCLONE ?? 'rclone'
describe.runIf(isInstalled(rclone))('rclone', () => {
  test('downloads with a token in a header', async () => {
    const { token: session } = await someone()
    const { disk, path } = await corner(server)
    const { token } = await make(session, { scopes: ['read'] })
    await writeFile(join(disk, 'a.txt'), 'for rclone')
    const copy = join(server.home, 'copy.txt')
    const header = `Authorization: Bearer ${token}`
    const { status, stderr } = run(rclone, 'copyurl', `${server.url}/api/raw${path}/a.txt`, copy, '--header', header)
    expect([status, stderr.replace(/^.*NOTICE: Config.*\n/, '')]).toEqual([0, ''])
    expect(await readFile(copy, 'utf8')).toBe('for rclone')
  })
})
