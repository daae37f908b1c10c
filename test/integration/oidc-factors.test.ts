import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { codeAt, fromBase32, stepAt } from '../../server/features/factors/totp.ts'
import { send } from '../api/accounts.ts'
import { type Answer, call, claimsOf, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { startRealProvider } from '../oidc/real-provider.ts'
import { begin, codeIn, handOver, problemIn, providerAt, visit, withProviders } from '../oidc/sign-in.ts'

const [provider, real] = [await startFalseProvider(), await startRealProvider()]
afterAll(() => real.stop())
const server = await serve(
  withProviders([
    providerAt(real.issuer, { followNames: true }),
    providerAt(provider.issuer, { slug: 'plain', onTaken: 'suffix', createUsers: true }),
    providerAt(provider.issuer, { slug: 'proving', provesFactors: true }),
    providerAt(provider.issuer, { slug: 'following', followNames: true }),
  ]),
)
await real.register(server)
const admin = await signIn(server)
afterEach(() => provider.reset())

const step = () => stepAt(Date.now())
const errorIn = ({ status, headers }: Answer) => [status, headers.get('x-error-code')]

let visitors = 0
/** Makes the provider send another user from now on. */
function visitor(): string {
  const name = `factors${++visitors}`
  provider.claims = { sub: `sub-${name}` }
  provider.userInfo = { sub: `sub-${name}`, preferred_username: name }
  return name
}

/** The answer at the end of a sign-in with the provider of a slug. */
async function arrive(slug: string): Promise<Answer> {
  const { page, cookie } = await visit(server, provider, slug)
  return handOver(server, codeIn(page), cookie)
}

/** The same with the real provider. */
async function arriveFromReal(who: { name: string; username?: string; amr?: string }): Promise<Answer> {
  const begun = await begin(server)
  const back = await real.signIn(begun.location, who)
  const answer = await call(server, `${back.pathname}${back.search}`, { headers: { Cookie: begun.cookie } })
  const page = new URL(answer.headers.get('location') ?? '', server.url)
  expect(problemIn(page)).toBeNull()
  return handOver(server, codeIn(page), begun.cookie)
}

/** Sets up an authenticator app in a session. @returns a code for the next sign-in */
async function setUpApp(token: string): Promise<string> {
  const { secret } = json(await send(server, 'POST', '/api/account/totp', token, {}))
  const code = codeAt(fromBase32(secret), step())
  expect((await send(server, 'POST', '/api/account/totp/confirm', token, { code })).status).toBe(200)
  return codeAt(fromBase32(secret), step() + 1)
}

/** Changes who must have a second factor for the time of a test. */
async function setPolicy(change: object): Promise<void> {
  const policy = { require: 'none', groups: [], from: null, graceDays: 0 }
  const put = (secondFactor: object) => send(server, 'PUT', '/api/settings/access', admin, { secondFactor })
  onTestFinished(async () => void (await put({ ...policy, trustProviders: true })))
  expect((await put({ ...policy, ...change })).status).toBe(204)
}

describe('a second factor that the provider checked', () => {
  test('takes the place of one here, as a real provider says in the ID token', async () => {
    const code = await setUpApp((await arriveFromReal({ name: 'zoe' })).text)
    const asked = await arriveFromReal({ name: 'zoe', amr: 'pwd' })
    expect(errorIn(asked)).toEqual([403, 'second_factor_required'])
    const ticket = asked.headers.get('x-login-ticket')
    expect((await send(server, 'POST', '/api/login/factor', undefined, { ticket, code })).status).toBe(200)
    const entered = await arriveFromReal({ name: 'zoe', amr: 'pwd otp' })
    expect([entered.status, claimsOf(entered.text).user.username]).toEqual([200, 'zoe'])
  })

  test('is asked for here where administrators do not trust providers', async () => {
    visitor()
    await setUpApp((await arrive('proving')).text)
    expect((await arrive('proving')).status).toBe(200)
    await setPolicy({ trustProviders: false })
    provider.claims.amr = ['mfa']
    expect(errorIn(await arrive('proving'))).toEqual([403, 'second_factor_required'])
    expect(errorIn(await arrive('plain'))).toEqual([403, 'second_factor_required'])
  })

  test('counts only in the ID token, which is about this sign-in', async () => {
    visitor()
    await setUpApp((await arrive('plain')).text)
    Object.assign(provider.userInfo, { amr: ['mfa'], acr: 'phr' })
    expect(errorIn(await arrive('plain'))).toEqual([403, 'second_factor_required'])
    provider.claims.acr = 'phr'
    expect((await arrive('plain')).status).toBe(200)
  })

  test('counts at the sign-in that it was for, and at no other door', async () => {
    visitor()
    const first = await arrive('plain')
    await setUpApp(first.text)
    provider.claims.amr = ['mfa']
    expect((await arrive('plain')).status).toBe(200)
    provider.claims.amr = ['pwd']
    expect(errorIn(await arrive('plain'))).toEqual([403, 'second_factor_required'])
  })
})

describe('MFA-11 the duty of a second factor', () => {
  test('is fulfilled by a provider that checked one', async () => {
    visitor()
    await setPolicy({ require: 'all' })
    expect((await arrive('proving')).status).toBe(200)
    provider.claims.amr = ['pwd', 'otp']
    expect((await arrive('plain')).status).toBe(200)
  })

  test('holds for a sign-in with a provider that checked none, and ends with an app', async () => {
    visitor()
    await setPolicy({ require: 'all' })
    const refused = await arrive('plain')
    expect([...errorIn(refused), refused.text]).toEqual([403, 'second_factor_setup', '403 Forbidden\n'])
    const ticket = refused.headers.get('x-login-ticket')
    const begun = json(await send(server, 'POST', '/api/login/enrol/totp', undefined, { ticket }))
    const body = { ticket: begun.ticket, code: codeAt(fromBase32(begun.secret), step()) }
    const { token } = json(await send(server, 'POST', '/api/login/enrol/totp/confirm', undefined, body))
    expect((await call(server, '/api/resources/', { token })).status).toBe(200)
    // The session is one of the provider, as one without the enrolment.
    const left = await call(server, '/api/logout', { method: 'POST', token })
    expect(left.headers.get('x-logout-location')).toContain(provider.issuer)
    expect(errorIn(await arrive('plain'))).toEqual([403, 'second_factor_required'])
  })

  test('is no matter of a session whose provider checked one, as long as administrators trust it', async () => {
    visitor()
    const policy = { require: 'all', graceDays: 3 }
    await setPolicy(policy)
    const dueIn = async (token: string) => json(await call(server, '/api/account/factors', { token })).due
    const [proven, plain] = [(await arrive('proving')).text, (await arrive('plain')).text]
    expect(await dueIn(proven)).toBeNull()
    expect(await dueIn(plain)).not.toBeNull()
    await setPolicy({ ...policy, trustProviders: false })
    expect(await dueIn(proven)).not.toBeNull()
  })

  test('says until when during the grace', async () => {
    visitor()
    await setPolicy({ require: 'all', graceDays: 3 })
    const entered = await arrive('plain')
    const due = Date.parse(entered.headers.get('x-factor-due') ?? '')
    expect([entered.status, Math.round((due - Date.now()) / 3_600_000)]).toEqual([200, 72])
  })
})

describe('an account whose provider renames its user', () => {
  const nameAfter = async (slug: string) => claimsOf((await arrive(slug)).text).user.username

  test('follows where the host says so, at a real provider, and keeps its id and its folder', async () => {
    const first = claimsOf((await arriveFromReal({ name: 'kim' })).text).user
    const { scope } = json(await call(server, `/api/users/${first.id}`, { token: admin }))
    const { user } = claimsOf((await arriveFromReal({ name: 'kim', username: 'kim-lee' })).text)
    expect([user.id, user.username]).toEqual([first.id, 'kim-lee'])
    expect(json(await call(server, `/api/users/${first.id}`, { token: admin }))).toMatchObject({ scope })
    const { rows } = json(await call(server, '/api/audit?action=user.change', { token: admin }))
    expect(rows[0]).toMatchObject({ username: 'kim-lee', way: 'oidc', outcome: 'done', target: 'name: kim' })
  })

  test('keeps its name where the new one is taken or cannot be used', async () => {
    for (const taken of ['admin', '..', 'a/b', 'a\0b', '', ' ', 7, 'x'.repeat(1000)]) {
      const name = visitor()
      expect(await nameAfter('following')).toBe(name)
      provider.userInfo.preferred_username = taken
      expect(await nameAfter('following')).toBe(name)
      expect(await nameAfter('following')).toBe(name)
    }
  })

  test('keeps a name that it does not have from the provider', async () => {
    const name = visitor()
    const { id } = claimsOf((await arrive('following')).text).user
    const body = { what: 'user', which: ['username'], data: { id, username: `${name}-here` } }
    const own = { ...body, current_password: server.adminPassword }
    expect((await send(server, 'PUT', `/api/users/${id}`, admin, own)).status).toBe(200)
    provider.userInfo.preferred_username = `${name}-there`
    expect(await nameAfter('following')).toBe(`${name}-here`)
  })
})
