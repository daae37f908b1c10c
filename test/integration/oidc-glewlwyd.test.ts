import { describe, expect, test } from 'vitest'
import { codeAt, fromBase32, stepAt } from '../../server/features/factors/totp.ts'
import { call, claimsOf, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { hasGlewlwyd, startGlewlwyd } from '../oidc/glewlwyd.ts'
import { type Begun, begin, begunBy, codeIn, handOver, problemIn, providerAt, withProviders } from '../oidc/sign-in.ts'

const PASSWORD = 'a-password-of-the-provider'

describe.runIf(hasGlewlwyd)('Glewlwyd, a provider of another origin,', async () => {
  const provider = await startGlewlwyd()
  const home = providerAt(provider.issuer, { clientAuth: 'post' })
  const proving = providerAt(provider.issuer, { clientAuth: 'post', provesFactors: true })
  const server = await serve(withProviders([home], { base: '/a/b' }))
  const trusting = await serve(withProviders([proving]))
  await provider.register(server, trusting)
  await provider.addUser('cas', PASSWORD)
  await provider.addUser('ann', PASSWORD)

  await provider.addUser('ben', PASSWORD)

  /** Signs in at the provider. @returns the page that follows */
  async function through(begun: Begun, name: string, place = server): Promise<URL> {
    const back = await provider.signIn(begun.location, name, PASSWORD)
    expect(back.href.startsWith(`${place.url}/api/oidc/home/callback?`)).toBe(true)
    const path = `/api/oidc/home/callback${back.search}`
    const answer = await call(place, path, { headers: { Cookie: begun.cookie } })
    const page = new URL(answer.headers.get('location') ?? '', place.url)
    expect([answer.status, problemIn(page)]).toEqual([302, null])
    return page
  }

  /** A whole sign-in of a browser. */
  async function session(name = 'ann'): Promise<string> {
    const begun = await begin(server)
    return (await handOver(server, codeIn(await through(begun, name)), begun.cookie)).text
  }

  test('signs a newcomer in below a base URL, finds the account again, and signs out', async () => {
    const [first, second] = [await session(), await session()]
    expect(claimsOf(first).user).toMatchObject({ username: 'ann', perm: { admin: false } })
    expect(claimsOf(second).user.id).toBe(claimsOf(first).user.id)
    const left = await call(server, '/api/logout', { method: 'POST', token: second })
    const location = new URL(left.headers.get('x-logout-location') ?? '')
    expect(location.href.startsWith(`${provider.issuer}/end_session?`)).toBe(true)
    expect(location.searchParams.get('post_logout_redirect_uri')).toBe(`${server.url}/login?loggedout`)
    expect((await call(server, '/api/sessions', { token: second })).status).toBe(401)
    expect(await signIn(server)).toContain('.')
  })

  test('is asked about a second factor here, unless the host says that it checks one', async () => {
    for (const [place, expected] of [
      [server, 403],
      [trusting, 200],
    ] as const) {
      const arrive = async () => {
        const begun = await begin(place)
        return handOver(place, codeIn(await through(begun, 'cas', place)), begun.cookie)
      }
      const { text: token } = await arrive()
      const post = (path: string, body: object) =>
        call(place, path, { method: 'POST', token, body: JSON.stringify(body) })
      const { secret } = json(await post('/api/account/totp', {}))
      const code = codeAt(fromBase32(secret), stepAt(Date.now()))
      expect((await post('/api/account/totp/confirm', { code })).status).toBe(200)
      expect((await arrive()).status).toBe(expected)
    }
  })

  test('signs in the account that its user has connected below a base URL', async () => {
    const body = JSON.stringify({ current_password: server.adminPassword, redirect: '/settings/profile' })
    const token = await signIn(server)
    const page = await through(
      begunBy(await call(server, '/api/oidc/home/link', { method: 'POST', token, body })),
      'ben',
    )
    expect(page.href).toBe(`${server.url}/settings/profile?linked=home`)
    expect(claimsOf(await session('ben')).user).toMatchObject({ id: 1, perm: { admin: true } })
  })
})
