import { createHash } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportSPKI, SignJWT } from 'jose'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { codeAt, fromBase32, stepAt } from '../../server/features/factors/totp.ts'
import { changeAddress } from '../../server/features/mail/addresses.store.ts'
import { call, claimsOf, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { confirmedLongAgo } from '../api/late.ts'
import { CLIENT } from '../oidc/client.ts'
import { now, startFalseProvider } from '../oidc/false-provider.ts'
import {
  accounts,
  begin,
  codeIn,
  comeBack,
  handOver,
  problemIn,
  providerAt,
  sessionFrom,
  visit,
  withProviders,
} from '../oidc/sign-in.ts'

const [provider, lax] = [await startFalseProvider(), await startFalseProvider()]
// It claims to sign with anything.
lax.description = { id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'] }
const server = await serve(
  withProviders([
    providerAt(provider.issuer, { label: 'Home' }),
    providerAt(provider.issuer, { slug: 'staff', allow: ['staff-*'], groupsClaim: 'realm.roles' }),
    providerAt(provider.issuer, { slug: 'suffix', onTaken: 'suffix' }),
    providerAt(provider.issuer, { slug: 'known', createUsers: false }),
    providerAt(lax.issuer, { slug: 'lax' }),
  ]),
)
const admin = await signIn(server)
afterEach(() => provider.reset())

const step = () => stepAt(Date.now())

let visitors = 0
/** Makes the provider send another user from now on. */
function visitor(name = `visitor${++visitors}`, more: Record<string, unknown> = {}): string {
  provider.claims = { sub: `sub-${name}`, ...more }
  provider.userInfo = { sub: `sub-${name}`, preferred_username: name }
  return name
}

describe('a sign-in with a provider', () => {
  test('creates an account with safe rights, finds it the next time, and says how it began', async () => {
    const name = visitor()
    const [first, second] = [await sessionFrom(server, provider), await sessionFrom(server, provider)]
    const user = claimsOf(first).user
    expect(user).toMatchObject({ username: name, lockPassword: true })
    expect(user.perm).toMatchObject({ admin: false, execute: false })
    expect(claimsOf(second).user.id).toBe(user.id)
    const rows = json(await call(server, '/api/audit?action=login', { token: admin })).rows
    expect(rows[0]).toMatchObject({ username: name, way: 'oidc', outcome: 'done', target: 'provider:home' })
  })

  test('MFA-02 asks a user with an authenticator app for a code as well', async () => {
    visitor()
    const session = await sessionFrom(server, provider)
    const post = (path: string, body: object, token?: string) =>
      call(server, path, { method: 'POST', body: JSON.stringify(body), ...(token !== undefined && { token }) })
    const { secret } = json(await post('/api/account/totp', {}, session))
    const confirmed = await post('/api/account/totp/confirm', { code: codeAt(fromBase32(secret), step()) }, session)
    expect(confirmed.status).toBe(200)
    const { page, cookie } = await visit(server, provider)
    const refused = await handOver(server, codeIn(page), cookie)
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'second_factor_required'])
    const ticket = refused.headers.get('x-login-ticket')
    const entered = await post('/api/login/factor', { ticket, code: codeAt(fromBase32(secret), step() + 1) })
    expect((await call(server, '/api/resources/', { token: entered.text })).status).toBe(200)
  })

  test('sends a challenge of PKCE with S256, and the secret of the client in a header alone', async () => {
    visitor()
    const begun = await begin(server)
    expect(begun.location.searchParams.get('code_challenge_method')).toBe('S256')
    provider.nonce = begun.nonce
    await comeBack(server, begun, provider)
    const asked = new URLSearchParams(provider.asked[0])
    const digest = createHash('sha256').update(asked.get('code_verifier') ?? '')
    expect(digest.digest('base64url')).toBe(begun.location.searchParams.get('code_challenge'))
    expect(asked.get('client_secret')).toBeNull()
  })

  test('keeps the name of the account when the provider changes it', async () => {
    const name = visitor()
    await sessionFrom(server, provider)
    provider.userInfo.preferred_username = 'admin'
    expect(claimsOf(await sessionFrom(server, provider)).user.username).toBe(name)
  })

  test('is refused for a removed account', async () => {
    visitor()
    const { id } = claimsOf(await sessionFrom(server, provider)).user
    expect((await call(server, `/api/users/${id}`, { method: 'DELETE', token: admin })).status).toBe(200)
    expect(problemIn((await visit(server, provider)).page)).toBe('disabled')
  })

  test('is unknown for a provider that the host does not name', async () => {
    for (const path of ['start', 'callback']) expect((await call(server, `/api/oidc/other/${path}`)).status).toBe(404)
  })

  test('is limited by network', async () => {
    const other = await serve(withProviders([providerAt(provider.issuer)]))
    const statuses = []
    for (let count = 0; count < 62; count += 1) statuses.push((await call(other, '/api/oidc/home/start')).status)
    expect(statuses.indexOf(429)).toBe(60)
  })
})

describe('OIDC-01 a callback', () => {
  test('without the cookie, with that of another browser, or of a sign-in before, is refused, and creates nothing', async () => {
    visitor()
    const before = await accounts(server, admin)
    const [own, other, old] = [await begin(server), await begin(server), await begin(server)]
    await comeBack(server, old, provider, { query: { error: 'access_denied' } })
    provider.nonce = own.nonce
    expect(problemIn(await comeBack(server, { ...own, cookie: '' }, provider))).toBe('mismatch')
    expect(problemIn(await comeBack(server, { ...other, cookie: old.cookie }, provider))).toBe('mismatch')
    const late = await begin(server)
    expect(problemIn(await comeBack(server, { ...late, cookie: other.cookie }, provider))).toBe('mismatch')
    for (const known of [own, other, late]) expect(problemIn(await comeBack(server, known, provider))).toBe('expired')
    expect(await accounts(server, admin)).toEqual(before)
    expect(provider.asked).toEqual([])
  })

  test('counts once, also for two requests at once', async () => {
    const name = visitor()
    const begun = await begin(server)
    provider.nonce = begun.nonce
    const pages = await Promise.all([1, 2, 3].map(() => comeBack(server, begun, provider)))
    expect(pages.map(problemIn).sort()).toEqual(['expired', 'expired', null])
    expect(problemIn(await comeBack(server, begun, provider))).toBe('expired')
    expect((await accounts(server, admin)).filter(known => known === name)).toEqual([name])
  })

  test('at another provider than it began at, or without a state, is refused', async () => {
    visitor()
    const begun = await begin(server)
    provider.nonce = begun.nonce
    expect(problemIn(await comeBack(server, begun, provider, { slug: 'suffix' }))).toBe('mismatch')
    expect(problemIn(await comeBack(server, { ...begun, state: '' }, provider))).toBe('expired')
  })

  test('with the issuer of another provider is refused (RFC 9207)', async () => {
    visitor()
    const begun = await begin(server)
    provider.nonce = begun.nonce
    const page = await comeBack(server, begun, provider, { query: { iss: 'https://other.example' } })
    expect(problemIn(page)).toBe('internal')
  })

  test('without a sign-in under way leaves no row in the audit log, and a refused sign-in does', async () => {
    const rows = async () => json(await call(server, '/api/audit?action=login', { token: admin })).rows
    const before = await rows()
    await comeBack(server, { cookie: '', state: 'x' }, provider)
    expect((await rows())[0]).toEqual(before[0])
    visitor()
    await visit(server, provider, 'known')
    expect((await rows())[0]).toMatchObject({ way: 'oidc', outcome: 'wrong_credentials', target: 'provider:known' })
  })

  test('with a refusal of the provider says so', async () => {
    const page = await comeBack(server, await begin(server), provider, { query: { error: 'access_denied' } })
    expect(problemIn(page)).toBe('denied')
  })
})

describe('OIDC-02 an ID token is refused', () => {
  const cases: [string, () => void][] = [
    ['of another issuer', () => (lax.claims.iss = 'https://other.example')],
    ['for another client', () => (lax.claims.aud = 'other')],
    [
      'for two clients, of which the other uses it',
      () => {
        lax.claims.aud = [CLIENT.clientId, 'other']
        lax.claims.azp = 'other'
      },
    ],
    ['of another sign-in', () => (lax.claims.nonce = 'other')],
    ['without a nonce', () => (lax.claims.nonce = undefined)],
    ['that has expired', () => (lax.claims.exp = now() - 120)],
    ['without a subject', () => (lax.claims.sub = undefined)],
    ['with an empty subject', () => (lax.claims.sub = '')],
    ['signed by another', () => (lax.signer = payload => provider.sign(payload))],
    [
      'without a signature',
      () => {
        lax.signer = async payload => {
          const [head, body] = [{ alg: 'none' }, payload].map(part =>
            Buffer.from(JSON.stringify(part)).toString('base64url'),
          )
          return `${head}.${body}.`
        }
      },
    ],
    [
      'signed with the public key as a secret',
      () => {
        lax.signer = async payload =>
          new SignJWT(payload)
            .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
            .sign(Buffer.from(await exportSPKI(lax.publicKey)))
      },
    ],
  ]
  test('unless it is right', async () => {
    Object.assign(lax, { claims: {}, signer: undefined })
    expect(problemIn((await visit(server, lax, 'lax')).page)).toBeNull()
  })

  test.each(cases)('%s', async (_what, lie) => {
    const before = await accounts(server, admin)
    Object.assign(lax, { claims: {}, signer: undefined })
    lie()
    const { page } = await visit(server, lax, 'lax')
    expect(['internal', 'bad_claims']).toContain(problemIn(page))
    expect(codeIn(page)).toBe('')
    expect(await accounts(server, admin)).toEqual(before)
  })
})

describe('OIDC-03 the name of an existing account', () => {
  test('never leads to that account', async () => {
    visitor('admin')
    expect(problemIn((await visit(server, provider)).page)).toBe('name_taken')
    const { user } = claimsOf(await sessionFrom(server, provider, 'suffix'))
    expect(user.username).toBe('admin-2')
    expect(user.perm.admin).toBe(false)
  })

  test('as the subject leads to no account either', async () => {
    visitor('someone', { sub: 'admin' })
    provider.userInfo.sub = 'admin'
    expect(claimsOf(await sessionFrom(server, provider)).user.username).toBe('someone')
  })

  test('without an account of its own is refused where the provider creates none', async () => {
    visitor()
    expect(problemIn((await visit(server, provider, 'known')).page)).toBe('no_account')
  })
})

test('OIDC-04 UserInfo about another user is refused', async () => {
  visitor()
  provider.userInfo.sub = 'admin'
  expect(problemIn((await visit(server, provider)).page)).toBe('internal')
})

describe('OIDC-06 groups', () => {
  test('that are not allowed, or no longer, are refused', async () => {
    const name = visitor()
    expect(problemIn((await visit(server, provider, 'staff')).page)).toBe('not_allowed')
    provider.userInfo.realm = { roles: ['other', 'staff-north'] }
    expect(claimsOf(await sessionFrom(server, provider, 'staff')).user.username).toBe(name)
    provider.userInfo.realm = { roles: ['Staff-north', 'xstaff-'] }
    expect(problemIn((await visit(server, provider, 'staff')).page)).toBe('not_allowed')
  })
})

describe('OIDC-10 the code of a handover', () => {
  test('works once, and in the same browser only', async () => {
    visitor()
    const { page, cookie } = await visit(server, provider)
    expect((await handOver(server, codeIn(page), cookie)).status).toBe(200)
    expect((await handOver(server, codeIn(page), cookie)).status).toBe(403)
    const other = await visit(server, provider)
    expect((await handOver(server, codeIn(other.page), cookie)).status).toBe(403)
    expect((await handOver(server, codeIn(other.page), other.cookie)).status).toBe(403)
  })

  test('works for a minute', async () => {
    visitor()
    const { page, cookie } = await visit(server, provider)
    const { db } = await openDb(server.database)
    onTestFinished(() => db.destroy())
    const { expires_at: end } = await db
      .selectFrom('login_flows')
      .select('expires_at')
      .where('kind', '=', 'handover')
      .executeTakeFirstOrThrow()
    expect(end).toBeLessThanOrEqual(Date.now() + 60_000)
    await db
      .updateTable('login_flows')
      .set({ expires_at: Date.now() - 1 })
      .execute()
    expect((await handOver(server, codeIn(page), cookie)).status).toBe(403)
  })

  test('is in no log, and neither are the token, the state and the secret', async () => {
    const own = await serve(withProviders([providerAt(provider.issuer)], { args: ['--logLevel', 'debug'] }))
    visitor()
    const begun = await begin(own)
    provider.nonce = begun.nonce
    const page = await comeBack(own, begun, provider)
    const token = (await handOver(own, codeIn(page), begun.cookie)).text
    await expect.poll(() => own.log()).toContain('/api/login/handover')
    const log = await own.log()
    const flow = begun.cookie.split('=')[1] ?? ''
    for (const secret of [codeIn(page), token, begun.state, flow, 'a-code-of-the-provider', CLIENT.clientSecret])
      expect(log).not.toContain(secret)
  })
})

test.each([true, false, 'true'])('OIDC-11 a mail address (email_verified: %j) joins no account', async verified => {
  const { db } = await openDb(server.database)
  onTestFinished(() => db.destroy())
  await changeAddress(db, 1, { address: 'admin@example.org' })
  const name = visitor()
  Object.assign(provider.userInfo, { email: 'admin@example.org', email_verified: verified })
  const { user } = claimsOf(await sessionFrom(server, provider))
  expect(user).toMatchObject({ username: name, perm: { admin: false } })
  expect(user.id).not.toBe(1)
})

test('OIDC-12 a folder that exists already, and is not empty, is given to no newcomer', async () => {
  const [free, taken] = [visitor(), visitor()]
  const home = (name: string) => join(server.root, 'users', name)
  await mkdir(home(taken), { recursive: true })
  await writeFile(join(home(taken), 'a.txt'), 'x')
  expect(problemIn((await visit(server, provider)).page)).toBe('name_taken')
  expect(await accounts(server, admin)).not.toContain(taken)
  visitor(free)
  await sessionFrom(server, provider)
  expect(await readdir(home(free))).toEqual([])
})

describe('the session', () => {
  test('ends with the longest time of the provider', async () => {
    const own = await serve(withProviders([providerAt(provider.issuer, { maxSession: '90s' })]))
    visitor()
    const token = await sessionFrom(own, provider)
    const { exp, iat } = claimsOf(token)
    expect(exp - iat).toBeLessThanOrEqual(90)
    const renewed = await call(own, '/api/renew', { method: 'POST', token })
    expect(claimsOf(renewed.text).exp).toBeLessThanOrEqual(exp + 1)
  })

  test('confirms what needs a password for ten minutes', async () => {
    visitor()
    const token = await sessionFrom(server, provider)
    const body = JSON.stringify({ label: 'x', scopes: ['read'] })
    const make = () => call(server, '/api/tokens', { method: 'POST', token, body })
    expect((await make()).status).toBe(201)
    await confirmedLongAgo(server)
    const late = await make()
    expect([late.status, late.headers.get('x-error-code')]).toEqual([403, 'confirm_first'])
  })

  test('is signed out at the provider, too, unless it began with a password', async () => {
    visitor()
    const answer = await call(server, '/api/logout', { method: 'POST', token: await sessionFrom(server, provider) })
    expect(answer.status).toBe(204)
    const location = new URL(answer.headers.get('x-logout-location') ?? '')
    expect(location.origin + location.pathname).toBe(`${provider.issuer}/end`)
    expect(location.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
    expect(location.searchParams.get('post_logout_redirect_uri')).toBe(`${server.url}/login?loggedout`)
    const own = await call(server, '/api/logout', { method: 'POST', token: await signIn(server) })
    expect(own.headers.get('x-logout-location')).toBeNull()
  })
})
