import { describe, expect, test } from 'vitest'
import { call, claimsOf, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { hasGlewlwyd, startGlewlwyd } from '../oidc/glewlwyd.ts'
import { begin, codeIn, handOver, problemIn, providerAt, withProviders } from '../oidc/sign-in.ts'

const PASSWORD = 'a-password-of-the-provider'

describe.runIf(hasGlewlwyd)('Glewlwyd, a provider of another origin,', async () => {
  const provider = await startGlewlwyd()
  const server = await serve(withProviders([providerAt(provider.issuer, { clientAuth: 'post' })], { base: '/a/b' }))
  await provider.register(server)
  await provider.addUser('ann', PASSWORD)

  /** A whole sign-in of a browser. */
  async function session(): Promise<string> {
    const begun = await begin(server)
    const back = await provider.signIn(begun.location, 'ann', PASSWORD)
    expect(back.href.startsWith(`${server.url}/api/oidc/home/callback?`)).toBe(true)
    const path = `/api/oidc/home/callback${back.search}`
    const answer = await call(server, path, { headers: { Cookie: begun.cookie } })
    const page = new URL(answer.headers.get('location') ?? '', server.url)
    expect([answer.status, problemIn(page)]).toEqual([302, null])
    return (await handOver(server, codeIn(page), begun.cookie)).text
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
})
