import { afterEach, describe, expect, test } from 'vitest'
import { call, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { type FalseProvider, startFalseProvider } from '../oidc/false-provider.ts'
import { begin, codeIn, comeBack, handOver, problemIn, providerAt, visit, withProviders } from '../oidc/sign-in.ts'

const DESCRIPTION = '/.well-known/openid-configuration'
/** A provider for each of these, on one server. */
const NAMES = ['home', 'hanging', 'endless', 'local', 'file', 'itself', 'insecure', 'mute', 'leaving'] as const
type Name = (typeof NAMES)[number]
const started = await Promise.all(NAMES.map(async name => [name, await startFalseProvider()] as const))
const providers = Object.fromEntries(started) as Record<Name, FalseProvider>
const provider = providers.home
afterEach(() => provider.reset())

const server = await serve(
  withProviders([
    ...started.map(([slug, { issuer }]) => providerAt(issuer, { slug })),
    providerAt('http://127.0.0.1:1', { slug: 'gone' }),
  ]),
)
const problemAt = async (slug: Name) => problemIn((await begin(server, { slug })).location)
const configOf = async (place: { url: string }) => {
  const [, config = ''] = /id="app-config">([^<]*)</.exec((await call(place, '/login')).text) ?? []
  return JSON.parse(config)
}

const medianOf = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

describe('OIDC-07 a provider', () => {
  test('that is not there leaves sign-in with a password as it is, and is reported as unavailable', async () => {
    expect((await begin(server, { slug: 'gone' })).location.search).toBe('?problem=away&provider=gone')
    expect(await signIn(server)).toContain('.')
  })

  test.concurrent('that never answers is given up within seconds, and delays no other request', async () => {
    const token = await signIn(server)
    const timesOfOthers = async () => {
      const times: number[] = []
      for (const path of ['/health', '/api/resources/', '/login', '/api/resources/', '/health']) {
        const sent = performance.now()
        expect((await call(server, path, { token })).status).toBe(200)
        times.push(performance.now() - sent)
      }
      return times
    }
    const usual = medianOf(await timesOfOthers())
    providers.hanging.answers.set(DESCRIPTION, () => {})
    const began = performance.now()
    let isWaiting = true
    const waiting = problemAt('hanging').finally(() => {
      isWaiting = false
    })
    expect((await call(server, '/health')).status).toBe(200)
    expect(isWaiting).toBe(true)
    expect(medianOf(await timesOfOthers())).toBeLessThan(3000 + usual)
    expect(await waiting).toBe('away')
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(await problemAt('hanging')).toBe('away')
  })

  test.concurrent('that was there before is asked again before the browser goes there', async () => {
    const { issuer, answers } = providers.leaving
    expect((await begin(server, { slug: 'leaving' })).location.origin).toBe(issuer)
    answers.set(DESCRIPTION, (_request, response) => response.writeHead(503).end())
    await expect.poll(() => problemAt('leaving'), { timeout: 10_000, interval: 500 }).toBe('away')
  })

  test('that sends an endless description is unavailable', async () => {
    let sent = 0
    providers.endless.answers.set(DESCRIPTION, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const piece = Buffer.alloc(64 * 1024, ' ')
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length
      }
      response.on('drain', more)
      more()
    })
    expect(await problemAt('endless')).toBe('away')
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  test.each<[Name, string]>([
    ['local', 'http://169.254.169.254/latest'],
    ['file', 'file:///etc/passwd'],
    ['itself', DESCRIPTION],
  ])('that redirects (%s) is not followed to %s', async (name, target) => {
    providers[name].answers.set(DESCRIPTION, (_request, response) =>
      response.writeHead(302, { Location: target }).end(),
    )
    expect(await problemAt(name)).toBe('away')
  })

  test('whose endpoints are not secure is not asked', async () => {
    providers.insecure.description = { token_endpoint: 'http://169.254.169.254/token' }
    expect(problemIn((await visit(server, providers.insecure, 'insecure')).page)).toBe('away')
    expect(await server.log()).toContain('http://169.254.169.254 is not secure')
  })

  test('that fails at the exchange of the code is unavailable', async () => {
    const begun = await begin(server)
    provider.answers.set('/token', (_request, response) => response.writeHead(503).end())
    expect(problemIn(await comeBack(server, begun, provider))).toBe('away')
  })

  test('that signs someone out while its keys cannot be read is asked to come back', async () => {
    const { mute } = providers
    mute.answers.set('/jwks', (_request, response) => response.writeHead(503).end())
    const body = `logout_token=${await mute.sign({ iss: mute.issuer })}`
    const answer = await call(server, '/api/oidc/mute/backchannel-logout', { method: 'POST', body })
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
  expect(config.Providers).toContainEqual({ slug: 'home', label: 'home' })
  expect(config).toMatchObject({ AuthMethod: 'json', LoginPage: true })
  const settings = await call(server, '/api/doctor/settings', { token: await signIn(server) })
  expect(settings.text).not.toContain('a-secret-of-the-client')
  expect(json(settings)).toBeDefined()
})

test('administrators and the metrics see whether each provider answers', async () => {
  const gone = providerAt('http://127.0.0.1:1', { slug: 'gone', label: 'Gone' })
  const own = await serve(withProviders([providerAt(provider.issuer), gone], { args: ['--metrics', '127.0.0.1:0'] }))
  const token = await signIn(own)
  const found = json(await call(own, '/api/doctor', { token }))
  expect(found).toContainEqual({ code: 'providerUp', what: 'home' })
  expect(found).toContainEqual({ code: 'providerAway', what: 'Gone', lines: ['filigree providers test gone'] })
  const redirect = (slug: string) => `${own.url}/api/oidc/${slug}/callback`
  expect(json(await call(own, '/api/providers', { token }))).toEqual([
    { kind: 'oidc', slug: 'home', label: 'home', answers: true, redirect: redirect('home') },
    {
      ...{ kind: 'oidc', slug: 'gone', label: 'Gone', answers: false, redirect: redirect('gone') },
      reason: expect.stringContaining('ECONNREFUSED'),
    },
  ])
  const [, port] = /"port":(\d+),"msg":"metrics/.exec(await own.log()) ?? []
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  await expect.poll(metrics).toContain('\nfiligree_provider_up{kind="oidc",slug="home"} 1\n')
  await expect.poll(metrics).toContain('\nfiligree_provider_up{kind="oidc",slug="gone"} 0\n')
})
