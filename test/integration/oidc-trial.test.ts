import { afterEach, expect, test } from 'vitest'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { confirmedLongAgo } from '../api/late.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { accounts, begunBy, comeBack, problemIn, providerAt, sessionFrom, withProviders } from '../oidc/sign-in.ts'

const provider = await startFalseProvider()
const groupMap = { staff: 'Staff', ghosts: 'Ghosts' }
const server = await serve(
  withProviders([
    providerAt(provider.issuer, { label: 'Home', groupMap }),
    providerAt(provider.issuer, { slug: 'staff', allow: ['staff'], onTaken: 'suffix' }),
    providerAt('http://127.0.0.1:1', { slug: 'gone' }),
  ]),
)
const boss = await manager(server)
const RIGHT = { current_password: server.adminPassword }
const admin = boss.token
const ask = (method: string, path: string, { token = admin, body }: { token?: string; body?: object } = {}) =>
  call(server, path, { method, token, ...(body && { body: JSON.stringify(body) }) })
await ask('POST', '/api/groups', { body: { name: 'Staff' } })
afterEach(() => provider.reset())

const start = (slug = 'home', { token = admin, body = RIGHT as object } = {}) =>
  ask('POST', `/api/oidc/${slug}/trial`, { token, body })

/** Tries a provider in a browser. @returns the page that follows */
async function visit({ slug = 'home', query = {}, token = admin } = {}): Promise<URL> {
  const begun = begunBy(await start(slug, { token }))
  provider.nonce = begun.nonce
  return comeBack(server, begun, provider, { slug, query })
}

const idIn = (page: URL) => page.searchParams.get('trial') ?? ''
const shown = async (page: URL) => json(await ask('GET', `/api/providers/trials/${idIn(page)}`))
const trial = async (how: { slug?: string; query?: Record<string, string> } = {}) => shown(await visit(how))

test('a trial of a provider shows the steps, the claims, the groups and the account, and leaves everything as it is', async () => {
  provider.userInfo = { sub: 'ann-1', preferred_username: 'zoe', groups: ['staff', 'ghosts', 'others'], age: 7 }
  const before = await accounts(server, admin)
  const page = await visit()
  expect(page.pathname).toBe('/settings/diagnostics')
  expect(page.hash).toBe('')
  const found = await shown(page)
  expect(found).toMatchObject({ kind: 'oidc', slug: 'home', label: 'Home' })
  expect(found.steps.map(({ step, failed }: { step: string; failed?: string }) => [step, failed])).toEqual([
    ['description', undefined],
    ['token', undefined],
    ['userInfo', undefined],
  ])
  expect(found.arrived).toMatchObject({
    groups: ['staff', 'ghosts', 'others'],
    groupsHere: ['Staff'],
    groupsMissing: ['Ghosts'],
    account: { outcome: 'new', username: 'zoe' },
  })
  expect(found.arrived.claims).toContainEqual({ name: 'age', value: '7' })
  expect(found.arrived.claims).toContainEqual({ name: 'sub', value: 'ann-1' })
  expect(JSON.stringify(found)).not.toContain(provider.nonce)
  expect(await accounts(server, admin)).toEqual(before)
  const { length } = json(await ask('GET', '/api/sessions'))
  await visit()
  expect(json(await ask('GET', '/api/sessions'))).toHaveLength(length)
  expect(json(await ask('GET', '/api/audit?action=login&limit=5')).rows[0].username).toBe('admin')
})

test('a trial names the account that exists, and the reason of a refusal', async () => {
  provider.userInfo = { sub: 'ann-1', preferred_username: 'yara' }
  await sessionFrom(server, provider)
  expect((await trial()).arrived.account).toEqual({ outcome: 'known', username: 'yara' })
  provider.claims = { sub: 'ann-2' }
  provider.userInfo = { sub: 'ann-2', preferred_username: 'yara' }
  expect((await trial()).arrived.account).toMatchObject({ outcome: 'refused', username: 'yara', problem: 'name_taken' })
  expect((await trial({ slug: 'staff' })).arrived.account).toMatchObject({
    problem: 'not_allowed',
    reason: 'no group of the user is allowed',
  })
  provider.userInfo = { sub: 'ann-2', preferred_username: 'yara', groups: ['staff'] }
  expect((await trial({ slug: 'staff' })).arrived.account).toEqual({ outcome: 'new', username: 'yara-2' })
  provider.userInfo = { sub: 'ann-2' }
  expect((await trial()).arrived.account).toMatchObject({ problem: 'bad_claims' })
  provider.userInfo = { sub: 'ann-2', preferred_username: '../x' }
  expect((await trial()).arrived.account).toMatchObject({ problem: 'bad_claims' })
})

test('a trial of a user who has lost the last group ends no membership', async () => {
  provider.claims = { sub: 'ann-3' }
  provider.userInfo = { sub: 'ann-3', preferred_username: 'wim', groups: ['staff'] }
  const token = await sessionFrom(server, provider, 'staff')
  provider.userInfo = { sub: 'ann-3', preferred_username: 'wim', groups: [] }
  const groups = async () => json(await ask('GET', '/api/account/access', { token })).groups
  const before = await groups()
  expect((await trial({ slug: 'staff' })).arrived.account.problem).toBe('not_allowed')
  expect(await groups()).toEqual(before)
})

test('a trial has the exact reason of the step that failed', async () => {
  const last = async (how: { query?: Record<string, string> } = {}) => (await trial(how)).steps.at(-1)
  const query = { error: 'access_denied', error_description: 'the client is not approved' }
  expect(await last({ query })).toMatchObject({
    step: 'token',
    failed: expect.stringContaining('access_denied: the client is not approved'),
  })
  provider.answers.set('/token', (_request, response) =>
    response
      .writeHead(401, { 'Content-Type': 'application/json' })
      .end('{"error":"invalid_client","error_description":"the secret is wrong"}'),
  )
  expect((await last()).failed).toContain('invalid_client: the secret is wrong')
  provider.answers.clear()
  provider.claims = { aud: 'another-client' }
  expect(await last()).toMatchObject({ step: 'token', failed: expect.stringContaining('aud') })
  provider.claims = {}
  provider.userInfo = { sub: 'another' }
  expect(await last()).toMatchObject({ step: 'userInfo', failed: expect.stringContaining('sub') })
  const { trial: gone } = json(await start('gone'))
  expect(gone.steps).toEqual([
    { step: 'description', found: 'http://127.0.0.1:1', failed: expect.stringContaining('ECONNREFUSED') },
  ])
})

test('a trial takes the password of an administrator, and is shown to that one alone', async () => {
  expect((await start('home', { body: { current_password: 'wrong' } })).status).toBe(400)
  await confirmedLongAgo(server)
  expect((await start('home', { body: {} })).headers.get('x-error-code')).toBe('confirm_first')
  const { token } = await newcomer(server, boss)
  expect((await start('home', { token })).status).toBe(403)
  const body = { label: 'x', scopes: ['write'], ...RIGHT }
  const { token: secret } = json(await ask('POST', '/api/tokens', { body }))
  expect((await start('home', { token: secret })).status).toBe(403)
  const page = await visit()
  const { token: other } = await newcomer(server, boss, { perm: perm('admin') })
  expect((await ask('GET', `/api/providers/trials/${idIn(page)}`, { token: other })).status).toBe(404)
  expect((await ask('GET', '/api/providers/trials/x')).status).toBe(404)
})

test('a trial gives no session, and ends with the session and the browser that began it', async () => {
  const { token } = await manager(server)
  const [ended, foreign] = [begunBy(await start('home', { token })), begunBy(await start('home', { token }))]
  expect(problemIn(await comeBack(server, { ...foreign, cookie: ended.cookie }, provider))).toBe('mismatch')
  const handed = await call(server, '/api/login/handover', {
    method: 'POST',
    body: JSON.stringify({ code: ended.state }),
  })
  expect(handed.status).toBe(403)
  await ask('POST', '/api/logout', { token })
  const page = await comeBack(server, ended, provider)
  expect([page.pathname, problemIn(page)]).toEqual(['/login', 'mismatch'])
})
