import { describe, expect, test } from 'vitest'
import { signToken } from '../../server/features/auth/token.ts'
import { codeAt, fromBase32, stepAt } from '../../server/features/factors/totp.ts'
import { makeSecret } from '../../server/features/tokens/secret.ts'
import { removeUser } from '../../server/features/users/accounts.ts'
import { hashPassword } from '../../server/features/users/password.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { callsOf, openWorld } from './world.ts'

const world = await openWorld()
const { sessions, ticketKey } = world.context
const HOUR = 3_600_000

/** A call that would reach its handler if the gate did not refuse it. */
const exampleOf = (path: string) => path.replace(/\*$/, 'a.txt').replace(/:\w+/g, '1')
const guarded = callsOf(world.routes)
  .filter(({ route }) => route.access !== 'public')
  .map(({ method, name, route }) => ({ method, name, target: exampleOf(route.path) }))

const user = await world.enrol({ perm: ALL_PERMISSIONS })
const token = await sessions.start(user)
const { sessionId } = await sessions.resolve(token)
const [head = '', claims = '', signature = ''] = token.split('.')
const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
const tokenId = JSON.parse(Buffer.from(claims, 'base64url').toString()).jti

const gone = await world.enrol({ perm: ALL_PERMISSIONS })
const ofGone = await sessions.start(gone)
await world.enrol({ perm: ALL_PERMISSIONS })
await removeUser(world.context, gone.id)

const ended = await sessions.start(user)
await sessions.end((await sessions.resolve(ended)).sessionId)

const options = { label: 'x', scopes: ['write'], folders: [], networks: [], expiresAt: null } as const
const { secret: endedToken } = await world.context.tokens.create(user.id, options)
await world.context.endTokens(user.id)

async function ticketOf(): Promise<string> {
  const body = JSON.stringify({ password: 'x' })
  const { hash } = JSON.parse((await world.ask({ method: 'POST', target: '/api/share/docs', token, body })).text)
  const headers = { 'X-SHARE-PASSWORD': 'x' }
  return JSON.parse((await world.ask({ method: 'GET', target: `/api/public/share/${hash}`, headers })).text).token
}

const other = { ...user, id: user.id + 1 }
const CREDENTIALS: [string, string | undefined][] = [
  ['nothing', undefined],
  ['an empty token', ''],
  ['garbage', 'a.b.c'],
  ['a token without its signature', `${head}.${claims}.`],
  ['a token that says it has none', `${none}.${claims}.`],
  ['a token with another signature', `${head}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
  ['an expired token', await signToken(ticketKey, user, { sessionId, tokenId }, -HOUR)],
  ['a token of another user for this session', await signToken(ticketKey, other, { sessionId, tokenId }, HOUR)],
  ['a token of a session that never was', await signToken(ticketKey, user, { sessionId: 'none', tokenId }, HOUR)],
  ['the token of an ended session', ended],
  ['the token of a removed user', ofGone],
  ['the ticket of a link', await ticketOf()],
  ['an API token that never was', makeSecret()],
  ['an ended API token', endedToken],
]

describe('MX-03 a client with', () => {
  test.each(CREDENTIALS)(
    '%s gets 401 from every protected call, in a header, a cookie and the URL',
    async (what, sent) => {
      const wrong: string[] = []
      const from = `127.0.0.${CREDENTIALS.findIndex(([known]) => known === what) + 2}`
      for (const { method, name, target } of guarded) {
        const ways = [
          { method, target, token: sent },
          { method, target, headers: { Cookie: `auth=${sent ?? ''}` } },
          { method, target: `${target}?auth=${sent ?? ''}` },
        ]
        for (const way of sent === undefined ? ways.slice(0, 1) : ways) {
          const { status } = await world.ask({ ...way, from })
          if (status !== 401) wrong.push(`${name}: ${status}`)
        }
      }
      expect(wrong).toEqual([])
    },
  )
})

/** A user whose password alone must open nothing, and the ticket that it gives. */
async function halfSignedIn(state: 'with a factor' | 'under a duty') {
  const password = 'a-password-of-the-user'
  const { username, id } = await world.enrol({ perm: ALL_PERMISSIONS, passwordHash: await hashPassword(password) })
  const post = (target: string, body: object, token?: string) =>
    world.ask({
      method: 'POST',
      target,
      token,
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    })
  const session = await sessions.start({ ...user, id, username })
  if (state === 'with a factor') {
    const { secret } = JSON.parse((await post('/api/account/totp', { current_password: password }, session)).text)
    const code = codeAt(fromBase32(secret), stepAt(Date.now()))
    expect((await post('/api/account/totp/confirm', { code }, session)).status).toBe(200)
  } else {
    const secondFactor = { require: 'all', groups: [], from: null, graceDays: 0 }
    const body = JSON.stringify({ secondFactor })
    const headers = { 'Content-Type': 'application/json' }
    expect((await world.ask({ method: 'PUT', target: '/api/settings/access', token, body, headers })).status).toBe(204)
  }
  const { status, headers } = await post('/api/login', { username, password })
  expect([status, headers['set-cookie']]).toEqual([403, undefined])
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return { basic, ticket: String(headers['x-login-ticket']), code: headers['x-error-code'] }
}

describe('MFA-01 the right password of a user', () => {
  test.each([
    ['with a factor', 'second_factor_required', '127.0.1.1'],
    ['under a duty', 'second_factor_setup', '127.0.1.2'],
  ] as const)('%s opens no protected call, and neither does the ticket', async (state, code, from) => {
    const { ticket, basic, ...half } = await halfSignedIn(state)
    expect(half.code).toBe(code)
    const before = await world.manifest()
    const wrong: string[] = []
    for (const { method, name, target } of guarded) {
      const ways = [
        { target, token: ticket },
        { target, headers: { Authorization: `Bearer ${ticket}` } },
        { target, headers: { Authorization: basic } },
        { target, headers: { Cookie: `auth=${ticket}` } },
        { target: `${target}?auth=${ticket}` },
      ]
      for (const way of ways) {
        const { status } = await world.ask({ method, from, ...way })
        if (status !== 401) wrong.push(`${name}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
    expect(await world.manifest()).toEqual(before)
  })
})

describe('CSRF-01 another site', () => {
  test.each([
    ['a form', { 'Content-Type': 'text/plain', 'Sec-Fetch-Site': 'cross-site', Origin: 'http://evil.example' }],
    ['a sibling site', { 'Sec-Fetch-Site': 'same-site', Origin: 'http://evil.example' }],
    ['a browser that says nothing of where it comes from', { Origin: 'http://evil.example' }],
    ['a page without an origin', { Origin: 'null' }],
  ])('cannot change anything with the cookie: %s', async (_what, headers) => {
    const before = await world.manifest()
    const wrong: string[] = []
    for (const { method, name, target } of guarded.filter(call => !['GET', 'HEAD'].includes(call.method))) {
      const { status } = await world.ask({ method, target, headers: { ...headers, Cookie: `auth=${token}` } })
      if (status !== 401) wrong.push(`${name}: ${status}`)
    }
    expect(wrong).toEqual([])
    expect(await world.manifest()).toEqual(before)
  })
})

test('AUTH-06 the session itself survived all this', async () => {
  expect((await sessions.resolve(token)).user.id).toBe(user.id)
})
