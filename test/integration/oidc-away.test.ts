import { afterEach, describe, expect, test } from 'vitest'
import { call, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { begin, codeIn, comeBack, handOver, problemIn, providerAt, visit, withProviders } from '../oidc/sign-in.ts'

const DESCRIPTION = '/.well-known/openid-configuration'
const provider = await startFalseProvider()
afterEach(() => provider.reset())

const server = await serve(
  withProviders([providerAt(provider.issuer), providerAt('http://127.0.0.1:1', { slug: 'gone' })]),
)
const configOf = async (place: { url: string }) => {
  const [, config = ''] = /id="app-config">([^<]*)</.exec((await call(place, '/login')).text) ?? []
  return JSON.parse(config)
}

describe('OIDC-07 a provider', () => {
  test('that is not there leaves sign-in with a password as it is, and is reported as unavailable', async () => {
    expect((await begin(server, { slug: 'gone' })).location.search).toBe('?problem=away&provider=gone')
    expect(await signIn(server)).toContain('.')
  })

  test('that never answers is given up within seconds, and delays no other request', async () => {
    const hanging = await startFalseProvider()
    hanging.answers.set(DESCRIPTION, () => {})
    const own = await serve(withProviders([providerAt(hanging.issuer)]))
    const began = performance.now()
    const waiting = begin(own)
    expect((await call(own, '/health')).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(2000)
    expect(problemIn((await waiting).location)).toBe('away')
    expect(performance.now() - began).toBeLessThan(8000)
    expect(problemIn((await begin(own)).location)).toBe('away')
  })

  test('that sends an endless description is unavailable', async () => {
    const endless = await startFalseProvider()
    let sent = 0
    endless.answers.set(DESCRIPTION, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const piece = Buffer.alloc(64 * 1024, ' ')
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length
      }
      response.on('drain', more)
      more()
    })
    const own = await serve(withProviders([providerAt(endless.issuer)]))
    expect(problemIn((await begin(own)).location)).toBe('away')
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  test.each([
    ['a link-local address', 'http://169.254.169.254/latest'],
    ['a file', 'file:///etc/passwd'],
    ['itself', '/.well-known/openid-configuration'],
  ])('that redirects to %s is not followed', async (_what, target) => {
    const leading = await startFalseProvider()
    leading.answers.set(DESCRIPTION, (_request, response) => response.writeHead(302, { Location: target }).end())
    const own = await serve(withProviders([providerAt(leading.issuer)]))
    expect(problemIn((await begin(own)).location)).toBe('away')
  })

  test('whose endpoints are not secure is not asked', async () => {
    const insecure = await startFalseProvider()
    insecure.description = { token_endpoint: 'http://169.254.169.254/token' }
    const own = await serve(withProviders([providerAt(insecure.issuer)]))
    expect(problemIn((await visit(own, insecure)).page)).toBe('away')
    expect(await own.log()).toContain('http://169.254.169.254 is not secure')
  })

  test('that fails at the exchange of the code is unavailable', async () => {
    const begun = await begin(server)
    provider.answers.set('/token', (_request, response) => response.writeHead(503).end())
    expect(problemIn(await comeBack(server, begun, provider))).toBe('away')
  })

  test('that signs someone out while its keys cannot be read is asked to come back', async () => {
    const mute = await startFalseProvider()
    mute.answers.set('/jwks', (_request, response) => response.writeHead(503).end())
    const own = await serve(withProviders([providerAt(mute.issuer)]))
    const body = `logout_token=${await mute.sign({ iss: mute.issuer })}`
    const answer = await call(own, '/api/oidc/home/backchannel-logout', { method: 'POST', body })
    expect(answer.status).toBe(503)
  })
})

describe('OIDC-08 the address after the sign-in', () => {
  test.each(['//evil.example', '/\\evil.example', 'https:evil.example', 'https://evil.example', '/\t/evil.example'])(
    '%j is not kept',
    async redirect => {
      const begun = await begin(server, { query: `?redirect=${encodeURIComponent(redirect)}` })
      provider.nonce = begun.nonce
      const page = await comeBack(server, begun, provider)
      expect(page.href.split('#')[0]).toBe(`${server.url}/login`)
    },
  )

  test('is kept for a folder of this site', async () => {
    const begun = await begin(server, { query: `?redirect=${encodeURIComponent('/files/a b/?x=1')}` })
    provider.nonce = begun.nonce
    const page = await comeBack(server, begun, provider)
    expect(page.searchParams.get('redirect')).toBe('/files/a b/?x=1')
  })

  test('is below the base URL, as the addresses for the provider are', async () => {
    const own = await serve(withProviders([providerAt(provider.issuer)], { base: '/a/b' }))
    const begun = await begin(own)
    expect(begun.location.searchParams.get('redirect_uri')).toBe(`${own.url}/api/oidc/home/callback`)
    provider.nonce = begun.nonce
    const page = await comeBack(own, begun, provider)
    expect(page.href.split('#')[0]).toBe(`${own.url}/login`)
    expect((await handOver(own, codeIn(page), begun.cookie)).status).toBe(200)
  })

  test('comes from the public URL, or from a trusted proxy, with a cookie for HTTPS alone', async () => {
    const args = ['--publicURL', 'https://files.example.org/a']
    const own = await serve(withProviders([providerAt(provider.issuer)], { base: '/a', args }))
    const { location } = await begin(own)
    expect(location.searchParams.get('redirect_uri')).toBe('https://files.example.org/a/api/oidc/home/callback')
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cloud.example.org' }
    const answer = await call(server, '/api/oidc/home/start', { headers })
    const behind = new URL(answer.headers.get('location') ?? '').searchParams.get('redirect_uri')
    expect(behind).toBe('https://cloud.example.org/api/oidc/home/callback')
    const cookie = /^flg_flow=[\w-]{43}; Path=\/api\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/
    expect(answer.headers.get('set-cookie')).toMatch(cookie)
  })
})

test('the page names the providers, without their secrets, where users sign in on it', async () => {
  const config = await configOf(server)
  expect(config.Providers).toEqual([
    { slug: 'home', label: 'home' },
    { slug: 'gone', label: 'gone' },
  ])
  expect(config).toMatchObject({ AuthMethod: 'json', LoginPage: true })
  const settings = await call(server, '/api/doctor/settings', { token: await signIn(server) })
  expect(settings.text).not.toContain('a-secret-of-the-client')
  expect(json(settings)).toBeDefined()
})
