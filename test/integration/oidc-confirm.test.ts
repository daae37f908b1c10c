import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer } from '../api/accounts.ts'
import { type Answer, call, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { confirmedLongAgo } from '../api/late.ts'
import { now, startFalseProvider } from '../oidc/false-provider.ts'
import { hasGlewlwyd, startGlewlwyd } from '../oidc/glewlwyd.ts'
import { startRealProvider } from '../oidc/real-provider.ts'
import {
  type Begun,
  begin,
  begunBy,
  codeIn,
  comeBack,
  handOver,
  problemIn,
  providerAt,
  sessionFrom,
  withProviders,
} from '../oidc/sign-in.ts'

const [provider, leaving, real] = [await startFalseProvider(), await startFalseProvider(), await startRealProvider()]
afterAll(() => real.stop())
const server = await serve(
  withProviders([
    providerAt(provider.issuer),
    providerAt(provider.issuer, { slug: 'staff', allow: ['staff'] }),
    providerAt(leaving.issuer, { slug: 'leaving' }),
  ]),
)
const boss = await manager(server)
afterEach(() => provider.reset())

let visitors = 0
/** A user of the provider, whose sign-in is too long ago to confirm anything. @returns the session */
async function lateVisitor(): Promise<string> {
  const name = `late${++visitors}`
  provider.claims = { sub: `sub-${name}` }
  provider.userInfo = { sub: `sub-${name}`, preferred_username: name }
  const token = await sessionFrom(server, provider)
  await confirmedLongAgo(server)
  return token
}

const ask = (token: string, { place = server, slug = 'home', redirect = '/settings/security' } = {}) =>
  call(place, `/api/oidc/${slug}/confirm`, { method: 'POST', token, body: JSON.stringify({ redirect }) })

/** Whether a call that needs a confirmation passes. */
async function isConfirmed(token: string, place = server): Promise<boolean> {
  const body = JSON.stringify({ label: 'x', scopes: ['read'] })
  const answer = await call(place, '/api/tokens', { method: 'POST', token, body })
  if (answer.status !== 201) expect(errorIn(answer)).toEqual([403, 'confirm_first'])
  return answer.status === 201
}

const errorIn = ({ status, headers }: Answer) => [status, headers.get('x-error-code')]

/** Comes back from the provider, which asked its user a number of seconds ago. */
function comeBackAfter(begun: Begun, seconds = 0): Promise<URL> {
  provider.nonce = begun.nonce
  provider.claims = { auth_time: now() - seconds, ...provider.claims }
  return comeBack(server, begun, provider)
}

describe('MFA-13 a user of a provider who has no password here', () => {
  test('confirms by signing in there again, for the session that began it, and comes back to the page', async () => {
    const token = await lateVisitor()
    const other = await sessionFrom(server, provider)
    await confirmedLongAgo(server)
    expect(await isConfirmed(token)).toBe(false)
    const begun = begunBy(await ask(token))
    const { searchParams } = begun.location
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '60'])
    const page = await comeBackAfter(begun)
    expect(page.href).toBe(`${server.url}/settings/security?confirmed=home`)
    expect([await isConfirmed(token), await isConfirmed(other)]).toEqual([true, false])
    expect(problemIn(await comeBackAfter(begun))).toBe('expired')
  })

  test.each([
    ['does not say when the user signed in', undefined],
    ['says it in a text', String(now())],
    ['has not asked the user for minutes', now() - 120],
  ])('does not when the provider %s', async (_what, auth_time) => {
    const token = await lateVisitor()
    const begun = begunBy(await ask(token))
    provider.claims = { ...provider.claims, auth_time }
    const page = await comeBackAfter(begun)
    expect([page.pathname, problemIn(page)]).toEqual([
      '/settings/security',
      typeof auth_time === 'string' ? 'internal' : 'not_asked',
    ])
    expect(await isConfirmed(token)).toBe(false)
  })

  test('does not with another user of the provider, known here or not', async () => {
    const known = await lateVisitor()
    const token = await lateVisitor()
    for (const sub of [`sub-late${visitors - 1}`, 'sub-of-nobody']) {
      const begun = begunBy(await ask(token))
      provider.claims = { sub }
      provider.userInfo = { sub, preferred_username: sub }
      expect(problemIn(await comeBackAfter(begun))).toBe('other_account')
    }
    expect([await isConfirmed(token), await isConfirmed(known)]).toEqual([false, false])
    const users = json(await call(server, '/api/users', { token: boss.token }))
    expect(users.map(({ username }: { username: string }) => username)).not.toContain('sub-of-nobody')
  })

  test('does not in another browser, after the session has ended, or when the provider refuses', async () => {
    const token = await lateVisitor()
    const [own, foreign, refused] = [await ask(token), await ask(token), await ask(token)].map(begunBy)
    if (!own || !foreign || !refused) throw new Error('nothing has begun')
    expect(problemIn(await comeBackAfter({ ...foreign, cookie: own.cookie }))).toBe('mismatch')
    const denied = await comeBack(server, refused, provider, { query: { error: 'login_required' } })
    expect([denied.pathname, problemIn(denied)]).toEqual(['/settings/security', 'denied'])
    expect(await isConfirmed(token)).toBe(false)
    await call(server, '/api/logout', { method: 'POST', token })
    expect(problemIn(await comeBackAfter(own))).toBe('mismatch')
  })

  test('does not where the account is not connected, with an API token, or while the provider is unavailable', async () => {
    const { token } = await newcomer(server, boss)
    expect((await ask(token)).status).toBe(404)
    const mine = await lateVisitor()
    for (const slug of ['leaving', 'nobody']) expect((await ask(mine, { slug })).status).toBe(404)
    expect((await ask('')).status).toBe(401)
    const body = JSON.stringify({ label: 'x', scopes: ['write'], current_password: GOOD_PASSWORD })
    const { token: secret } = json(await call(server, '/api/tokens', { method: 'POST', token, body }))
    expect(errorIn(await ask(secret))).toEqual([403, 'token_scope'])
    const other = await sessionFrom(server, leaving, 'leaving')
    leaving.answers.set('/.well-known/openid-configuration', (_request, response) => response.writeHead(500).end())
    const outcome = async () => errorIn(await ask(other, { slug: 'leaving' }))
    await expect.poll(outcome, { timeout: 8000, interval: 500 }).toEqual([503, 'provider_unavailable'])
  })

  test('is led to no other site', async () => {
    const token = await lateVisitor()
    for (const redirect of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
      const page = await comeBackAfter(begunBy(await ask(token, { redirect })))
      expect(page.href).toBe(`${server.url}/?confirmed=home`)
    }
  })

  test('is signed out by the provider also after the confirmation began another session there', async () => {
    const token = await lateVisitor()
    const begun = begunBy(await ask(token))
    provider.claims = { ...provider.claims, sid: 'session-2' }
    expect(problemIn(await comeBackAfter(begun))).toBeNull()
    const logout = await provider.sign(
      {
        ...{
          iss: provider.issuer,
          aud: 'filigree',
          sid: 'session-2',
          iat: now(),
          exp: now() + 120,
          jti: `j-${visitors}`,
        },
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      },
      { typ: 'logout+jwt' },
    )
    const form = new URLSearchParams({ logout_token: logout })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const sent = { method: 'POST', headers, body: String(form) }
    expect((await call(server, '/api/oidc/home/backchannel-logout', sent)).status).toBe(200)
    expect((await call(server, '/api/resources/', { token })).status).toBe(401)
  })
})

test('the status of the second factors says whether the user has a password here', async () => {
  const status = async (token: string) => json(await call(server, '/api/account/factors', { token })).hasPassword
  expect(await status((await newcomer(server, boss)).token)).toBe(true)
  expect(await status(await lateVisitor())).toBe(false)
})

/**
 * Signs in with a real provider, and asks it for a confirmation.
 * @param signIn what the browser does there
 * @returns what the page then shows, and whether the session is confirmed
 */
async function throughReal(place: typeof server, signIn: (location: URL) => Promise<URL>) {
  const arrive = async (begun: Begun): Promise<URL> => {
    const { search } = await signIn(begun.location)
    const answer = await call(place, `/api/oidc/home/callback${search}`, { headers: { Cookie: begun.cookie } })
    return new URL(answer.headers.get('location') ?? '', place.url)
  }
  const first = await begin(place)
  const token = (await handOver(place, codeIn(await arrive(first)), first.cookie)).text
  await confirmedLongAgo(place)
  expect(await isConfirmed(token, place)).toBe(false)
  const page = await arrive(begunBy(await ask(token, { place })))
  return [page.search, await isConfirmed(token, place)]
}

test('a certified provider asks its user again and confirms', async () => {
  const place = await serve(withProviders([providerAt(real.issuer)]))
  await real.register(place)
  const outcome = await throughReal(place, location => real.signIn(location, { name: 'zoe' }))
  expect(outcome).toEqual(['?confirmed=home', true])
})

test.runIf(hasGlewlwyd)('Glewlwyd, whose `auth_time` is 0, confirms nothing', async () => {
  const glewlwyd = await startGlewlwyd()
  const place = await serve(withProviders([providerAt(glewlwyd.issuer, { clientAuth: 'post' })]))
  await glewlwyd.register(place)
  await glewlwyd.addUser('ann', 'a-password-of-the-provider')
  const signIn = (location: URL) => glewlwyd.signIn(location, 'ann', 'a-password-of-the-provider')
  expect(await throughReal(place, signIn)).toEqual(['?problem=not_asked&provider=home', false])
})
