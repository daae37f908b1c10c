import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Answer, call, claimsOf, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { hasGlewlwyd, startGlewlwyd } from '../oidc/glewlwyd.ts'
import { type Begun, begin, begunBy, codeIn, handOver, providerAt, withProviders } from '../oidc/sign-in.ts'
import { isThere, makeCertificate, PREFIX, PROXY_NAMES, startProxy, trust, WAYS } from './proxies.ts'

const PASSWORD = 'a-password-of-the-provider'

describe.runIf(hasGlewlwyd)('OIDC-08 sign-in with Glewlwyd through the recipes of proxies', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  const certificate = await makeCertificate(folder)
  await trust(certificate)
  const provider = await startGlewlwyd()
  const providers = [providerAt(provider.issuer, { clientAuth: 'post' })]
  const servers = {
    kept: await serve(withProviders(providers, { base: PREFIX })),
    stripped: await serve(withProviders(providers, { base: PREFIX, args: ['--prefixStripped'] })),
  }
  const places = await Promise.all(
    PROXY_NAMES.filter(isThere).flatMap(name =>
      WAYS.map(async way => {
        const server = servers[way]
        const proxy = await startProxy(name, way, { target: server, certificate })
        return { name, way, server, proxy, url: proxy.origin + PREFIX, user: `${name}-${way}`.toLowerCase() }
      }),
    ),
  )
  afterAll(async () => {
    await Promise.all(places.map(({ proxy }) => proxy.stop()))
    await rm(folder, { recursive: true, force: true })
  })
  await provider.register(...places)
  for (const { user } of places) await provider.addUser(user, PASSWORD)

  describe.each(places)('behind $name, with the prefix $way,', place => {
    /** Signs in at the provider, which accepts the registered addresses alone. @returns the answer of the callback */
    async function through(begun: Begun): Promise<Answer> {
      const back = await provider.signIn(begun.location, place.user, PASSWORD)
      expect(back.origin + back.pathname).toBe(`${place.url}/api/oidc/home/callback`)
      return call(place, `/api/oidc/home/callback${back.search}`, { headers: { Cookie: begun.cookie } })
    }

    test('users sign in, and sign out, at the addresses of the proxy', async () => {
      const begun = await begin(place)
      const page = new URL((await through(begun)).headers.get('location') ?? '', place.url)
      expect(page.href.split('#')[0]).toBe(`${place.url}/login`)
      const answer = await handOver(place, codeIn(page), begun.cookie)
      expect(claimsOf(answer.text).user.username).toBe(place.user)
      expect(answer.headers.get('set-cookie')).toContain(`Path=${PREFIX}; HttpOnly; SameSite=Strict; Secure`)
      const left = await call(place, '/api/logout', { method: 'POST', token: answer.text })
      const location = new URL(left.headers.get('x-logout-location') ?? '')
      expect(location.searchParams.get('post_logout_redirect_uri')).toBe(`${place.url}/login?loggedout`)
    })

    test('the cookie of a sign-in is for the prefix and HTTPS only', async () => {
      const { headers } = await call(place, '/api/oidc/home/start')
      const [cookie, ...attributes] = (headers.get('set-cookie') ?? '').split('; ')
      expect(cookie).toMatch(/^flg_flow=/)
      expect(attributes).toEqual([`Path=${PREFIX}/api/`, 'HttpOnly', 'SameSite=Lax', 'Max-Age=600', 'Secure'])
    })

    test('the address of the proxy counts, whatever a client claims', async () => {
      const claims = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http', Forwarded: 'host=evil.example' }
      const { headers } = await call(place, '/api/oidc/home/start', { headers: claims })
      const { searchParams } = new URL(headers.get('location') ?? '')
      expect(searchParams.get('redirect_uri')).toBe(`${place.url}/api/oidc/home/callback`)
    })

    test('connecting an account leads back to the page that began it', async () => {
      const admin = { url: place.url, adminPassword: place.server.adminPassword }
      const token = await signIn(admin)
      const body = JSON.stringify({ current_password: admin.adminPassword, redirect: '/settings/profile' })
      const begun = begunBy(await call(place, '/api/oidc/home/link', { method: 'POST', token, body }))
      // Its user has an account of its own by now.
      const { headers } = await through(begun)
      expect(headers.get('location')).toBe(`${PREFIX}/settings/profile?problem=other_account&provider=home`)
    })
  })
})
