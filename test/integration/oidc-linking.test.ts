import { afterEach, describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer } from '../api/accounts.ts'
import { call, claimsOf, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { confirmedLongAgo } from '../api/late.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import {
  type Begun,
  begunBy,
  comeBack,
  problemIn,
  providerAt,
  sessionFrom,
  visit,
  withProviders,
} from '../oidc/sign-in.ts'

const provider = await startFalseProvider()
const server = await serve(
  withProviders([
    providerAt(provider.issuer, { groupMap: { staff: 'Staff' } }),
    providerAt(provider.issuer, { slug: 'staff', allow: ['staff'] }),
  ]),
)
const boss = await manager(server)
const admin = boss.token
afterEach(() => provider.reset())

let visitors = 0
/** Makes the provider send another user from now on. @returns its name there */
function visitor(more: Record<string, unknown> = {}): string {
  const name = `outside${++visitors}`
  provider.claims = { sub: `sub-${name}` }
  provider.userInfo = { sub: `sub-${name}`, preferred_username: name, ...more }
  return name
}

const ask = (token: string, body: object, { slug = 'home', headers = {} } = {}) =>
  call(server, `/api/oidc/${slug}/link`, { method: 'POST', token, headers, body: JSON.stringify(body) })

/** Begins to connect the account of a session. */
async function begin(token: string, { slug = 'home', redirect = '/settings/profile' } = {}): Promise<Begun> {
  const begun = begunBy(await ask(token, { current_password: GOOD_PASSWORD, redirect }, { slug }))
  provider.nonce = begun.nonce
  return begun
}

/** Connects it. @returns the page that follows */
const link = async (token: string, how: { slug?: string; redirect?: string } = {}): Promise<URL> =>
  comeBack(server, await begin(token, how), provider, how)

describe('a user who connects an account with a provider', () => {
  test('signs in there from then on, keeps the account as it is, and comes back to the page that began it', async () => {
    const { id, name, token } = await newcomer(server, boss)
    visitor()
    const page = await link(token, { redirect: '/settings/profile?a=b' })
    expect(page.href).toBe(`${server.url}/settings/profile?a=b&linked=home`)
    expect(claimsOf(await sessionFrom(server, provider)).user).toMatchObject({ id, username: name })
    expect((await call(server, '/api/resources/', { token })).status).toBe(200)
    const [row] = json(await call(server, '/api/audit?action=identity.link', { token: admin })).rows
    expect(row).toMatchObject({ username: name, way: 'oidc', outcome: 'done', target: 'provider:home' })
  })

  test('may do it again, and with one user of the provider only', async () => {
    const { token } = await newcomer(server, boss)
    visitor()
    expect([await link(token), await link(token)].map(problemIn)).toEqual([null, null])
    visitor()
    expect(problemIn(await link(token))).toBe('linked_already')
  })

  test('comes into the groups that the host maps at once', async () => {
    await call(server, '/api/groups', { method: 'POST', token: admin, body: JSON.stringify({ name: 'Staff' }) })
    const { token } = await newcomer(server, boss)
    visitor({ groups: ['staff'] })
    await link(token)
    const { groups } = json(await call(server, '/api/account/access', { token }))
    expect(groups).toContainEqual(expect.objectContaining({ name: 'Staff', sources: ['provider:home'] }))
  })

  test('is refused where no group of the user is allowed', async () => {
    const { token } = await newcomer(server, boss)
    visitor({ groups: ['others'] })
    expect(problemIn(await link(token, { slug: 'staff' }))).toBe('not_allowed')
  })
})

describe('OIDC-13 an identity', () => {
  test('of another account stays there, also when that account was removed', async () => {
    visitor()
    const { id } = claimsOf(await sessionFrom(server, provider)).user
    const { token } = await newcomer(server, boss)
    const page = await link(token)
    expect([page.pathname, problemIn(page)]).toEqual(['/settings/profile', 'other_account'])
    expect(claimsOf(await sessionFrom(server, provider)).user.id).toBe(id)
    await call(server, `/api/users/${id}`, { method: 'DELETE', token: admin })
    expect(problemIn(await link(token))).toBe('other_account')
    expect(problemIn((await visit(server, provider)).page)).toBe('disabled')
  })

  test('goes to one of two accounts that connect it at once', async () => {
    visitor()
    const tokens = [await newcomer(server, boss), await newcomer(server, boss)].map(({ token }) => token)
    const begun = [await begin(tokens[0] ?? ''), await begin(tokens[1] ?? '')]
    provider.signer = payload => {
      const code = new URLSearchParams(provider.asked.at(-1)).get('code')
      return provider.sign({ ...payload, nonce: code })
    }
    const back = (one: Begun) => comeBack(server, one, provider, { query: { code: one.nonce } })
    const pages = await Promise.all(begun.map(back))
    expect(pages.map(problemIn).sort()).toEqual([null, 'other_account'])
  })
})

describe('a connected provider', () => {
  const identities = async (token: string) => json(await call(server, '/api/account/identities', { token }))
  const disconnect = (token: string, body: object) =>
    call(server, '/api/account/identities/home', { method: 'DELETE', token, body: JSON.stringify(body) })

  test('is listed without its id, and disconnected with the password: its groups end, and it leads to another account', async () => {
    const { token, id } = await newcomer(server, boss)
    visitor({ groups: ['staff'] })
    await link(token)
    expect(await identities(token)).toEqual([
      expect.objectContaining({ kind: 'oidc', slug: 'home', label: 'home', removable: true }),
    ])
    await confirmedLongAgo(server)
    expect((await disconnect(token, {})).headers.get('x-error-code')).toBe('confirm_first')
    expect((await disconnect(token, { current_password: GOOD_PASSWORD })).status).toBe(204)
    expect(await identities(token)).toEqual([])
    expect((await disconnect(token, { current_password: GOOD_PASSWORD })).status).toBe(404)
    const { groups } = json(await call(server, '/api/account/access', { token }))
    expect(groups).not.toContainEqual(expect.objectContaining({ name: 'Staff' }))
    const [row] = json(await call(server, '/api/audit?action=identity.unlink', { token: admin })).rows
    expect(row).toMatchObject({ outcome: 'done', target: 'provider:home' })
    expect(claimsOf(await sessionFrom(server, provider)).user.id).not.toBe(id)
  })

  test('that is the only way into an account stays', async () => {
    visitor()
    const token = await sessionFrom(server, provider)
    expect(await identities(token)).toEqual([expect.objectContaining({ slug: 'home', removable: false })])
    expect((await disconnect(token, {})).status).toBe(403)
    expect(await identities(token)).toHaveLength(1)
  })
})

describe('OIDC-14 connecting an account', () => {
  test('takes the password', async () => {
    const { token } = await newcomer(server, boss)
    expect((await ask(token, { current_password: 'wrong-password', redirect: '/' })).status).toBe(400)
    await confirmedLongAgo(server)
    expect((await ask(token, { redirect: '/' })).status).toBe(403)
  })

  test('takes no password soon after a sign-in with another provider, and a new sign-in later', async () => {
    visitor()
    const token = await sessionFrom(server, provider)
    expect((await ask(token, {})).status).toBe(200)
    await confirmedLongAgo(server)
    const late = await ask(token, {})
    expect([late.status, late.headers.get('x-error-code')]).toEqual([403, 'confirm_first'])
  })

  test('is not for API tokens, and needs a session', async () => {
    const { token } = await newcomer(server, boss)
    const body = JSON.stringify({ label: 'x', scopes: ['write'], current_password: GOOD_PASSWORD })
    const { token: secret } = json(await call(server, '/api/tokens', { method: 'POST', token, body }))
    expect((await ask(secret, { current_password: GOOD_PASSWORD })).status).toBe(403)
    expect((await ask('', { current_password: GOOD_PASSWORD })).status).toBe(401)
  })

  test('ends with the session that began it, and in the browser that began it', async () => {
    const { token } = await newcomer(server, boss)
    visitor()
    const [ended, foreign] = [await begin(token), await begin(token)]
    expect(problemIn(await comeBack(server, { ...foreign, cookie: ended.cookie }, provider))).toBe('mismatch')
    await call(server, '/api/logout', { method: 'POST', token })
    provider.nonce = ended.nonce
    expect(problemIn(await comeBack(server, ended, provider))).toBe('mismatch')
    expect(problemIn(await comeBack(server, ended, provider))).toBe('expired')
  })

  test('leads to no other site, and gives no session', async () => {
    const { token } = await newcomer(server, boss)
    visitor()
    for (const redirect of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\tx'])
      expect((await link(token, { redirect })).href).toBe(`${server.url}/?linked=home`)
  })

  test('says when the provider is unavailable', async () => {
    const away = await serve(withProviders([providerAt('http://127.0.0.1:1', { label: 'Home' })]))
    const token = await signIn(away)
    const answer = await call(away, '/api/oidc/home/link', {
      method: 'POST',
      token,
      body: JSON.stringify({ current_password: away.adminPassword }),
    })
    const { status, headers } = answer
    expect([status, headers.get('x-error-code'), headers.get('x-provider')]).toEqual([
      503,
      'provider_unavailable',
      'Home',
    ])
  })
})
