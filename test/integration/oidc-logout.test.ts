import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, call, claimsOf, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { CLIENT } from '../oidc/client.ts'
import { now, startFalseProvider } from '../oidc/false-provider.ts'
import { providerAt, sessionFrom, withProviders } from '../oidc/sign-in.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const [provider, other] = [await startFalseProvider(), await startFalseProvider()]
const server = await serve(
  withProviders([providerAt(provider.issuer), providerAt(other.issuer, { slug: 'other', onTaken: 'suffix' })]),
)
afterEach(() => provider.reset())

let count = 0
/** Claims of a right logout token, without a session or a user. */
const logout = (more: object = {}) => ({
  iss: provider.issuer,
  aud: CLIENT.clientId,
  iat: now(),
  exp: now() + 120,
  jti: `t${++count}`,
  events: { [EVENT]: {} },
  ...more,
})

const send = (token: string, slug = 'home'): Promise<Answer> =>
  call(server, `/api/oidc/${slug}/backchannel-logout`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })

const sendClaims = async (claims: object, header?: Record<string, unknown>): Promise<number> =>
  (await send(await provider.sign({ ...claims }, header))).status

const isLive = async (token: string) => (await call(server, '/api/sessions', { token })).status === 200

/** A session at the provider; by default of a new user. */
async function session(sid: string, name = `user${++count}`): Promise<string> {
  provider.claims = { sub: name, sid }
  provider.userInfo = { sub: name, preferred_username: name }
  return sessionFrom(server, provider)
}

describe('OIDC-05 a logout token', () => {
  test('for a session of the provider ends exactly that one', async () => {
    const [own, another] = [await session('s1', 'bob'), await session('s2', 'bob')]
    const password = await signIn(server)
    expect(await sendClaims(logout({ sid: 's1' }))).toBe(200)
    expect(await Promise.all([own, another, password].map(isLive))).toEqual([false, true, true])
  })

  test('for a user ends all sessions that began at this provider', async () => {
    const sessions = [await session('a1', 'eve'), await session('a2', 'eve')]
    other.claims = { sub: 'eve', sid: 'a1' }
    other.userInfo = { sub: 'eve', preferred_username: 'eve' }
    const elsewhere = await sessionFrom(server, other, 'other')
    expect(claimsOf(elsewhere).user.username).toBe('eve-2')
    expect(await sendClaims(logout({ sub: 'eve' }))).toBe(200)
    expect(await Promise.all([...sessions, elsewhere].map(isLive))).toEqual([false, false, true])
  })

  test('for a session of another provider, of another user, or an unknown one ends nothing', async () => {
    const own = await session('b1')
    const another = await session('b2')
    const { username } = claimsOf(another).user
    for (const claims of [{ sid: 'unknown' }, { sub: 'nobody' }, { sid: 'b1', sub: username }])
      expect(await sendClaims(logout(claims))).toBe(200)
    const foreign = await other.sign({ ...logout({ sid: 'b1' }), iss: other.issuer })
    expect((await send(foreign, 'other')).status).toBe(200)
    expect(await isLive(own)).toBe(true)
  })

  test('counts once', async () => {
    const token = await provider.sign(logout({ sid: 'c1' }))
    expect((await send(token)).status).toBe(200)
    const again = await session('c1')
    expect((await send(token)).status).toBe(400)
    expect(await isLive(again)).toBe(true)
  })

  test.each<[string, object, Record<string, unknown>?]>([
    ['with a nonce', { nonce: 'x' }],
    ['for another client', { aud: 'other' }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['older than five minutes', { iat: now() - 600 }],
    ['without a time', { iat: undefined }],
    ['that has expired', { exp: now() - 120 }],
    ['without an id', { jti: undefined }],
    ['without the event', { events: {} }],
    ['with a text as the event', { events: EVENT }],
    ['for nobody', { sid: undefined }],
    ['with a number as the session', { sid: 7 }],
    ['of another type', {}, { typ: 'at+jwt' }],
  ])('%s is refused', async (_what, claims, header) => {
    const own = await session('d1')
    expect(await sendClaims(logout({ sid: 'd1', ...claims }), header)).toBe(400)
    expect(await isLive(own)).toBe(true)
  })

  test('that another provider signed, an ID token, and no token at all are refused', async () => {
    const own = await session('e1')
    expect((await send(await other.sign(logout({ sid: 'e1' })))).status).toBe(400)
    expect(await sendClaims({ ...logout({ sid: 'e1' }), events: undefined, nonce: 'n' })).toBe(400)
    for (const token of ['', 'x', 'a.b.c']) expect((await send(token)).status).toBe(400)
    expect((await send('x'.repeat(17_000))).status).toBe(413)
    expect((await send('x', 'unknown')).status).toBe(404)
    expect(await isLive(own)).toBe(true)
  })
})
