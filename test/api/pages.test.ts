import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { call } from './client.ts'
import { openInstance } from './instance.ts'
import { configure } from './people.ts'
import { rawRequest } from './raw.ts'

const NAME = 'A & B </script><script>alert("1")</script><!-- \u2028'
const server = await openInstance()
await configure(server, { branding: { name: NAME, theme: 'dark' } })
/** Requests a path as a browser does. */
const at = (path: string) => server.base + path

/** The nonce for styles differs in every page. */
const withoutNonce = (text: string) => text.replace(/nonce="[^"]+"/, '')
const plain = (path: string) => rawRequest(server, { target: path })

const page = await call(server, '/')
const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(match => match[1] ?? '')
const script = assets.find(path => path.endsWith('.js')) ?? ''
const style = assets.find(path => path.endsWith('.css')) ?? ''

describe('the index page', () => {
  test('is fresh HTML', () => {
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toMatch(/no-cache|no-store/)
  })

  test('contains the page configuration as data', () => {
    const data = /<script type="application\/json" id="app-config">(.*?)<\/script>/s.exec(page.text)?.[1] ?? ''
    expect(data).not.toMatch(/[<>&\u2028]/)
    expect(JSON.parse(data)).toMatchObject({
      Name: NAME,
      DisableExternal: false,
      BaseURL: server.base,
      StaticURL: at('/static'),
      ReCaptcha: false,
      ReCaptchaKey: '',
      Signup: false,
      Version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      NoAuth: false,
      AuthMethod: 'json',
      LoginPage: true,
      FactorDuty: false,
      Links: { kinds: ['view', 'edit', 'drop'], password: 'optional', maxDays: 0, slugs: 'locked' },
      Theme: 'dark',
      EnableThumbs: expect.any(Boolean),
      VideoThumbs: expect.any(Boolean),
      Documents: expect.any(Boolean),
      ResizePreview: expect.any(Boolean),
      EnableExec: expect.any(Boolean),
      ExecSandbox: expect.any(String),
      MovesByCopy: expect.any(Boolean),
      Mounts: false,
      Office: false,
      FolderCovers: true,
      FolderReadme: true,
      SharedTags: false,
      Mail: false,
      Dav: true,
      UserWebhooks: false,
      AdminTokens: false,
      TokenDays: 0,
      Trash: expect.any(Boolean),
      SearchesContents: expect.any(Boolean),
    })
  })

  test('XSS-04 cannot be broken by a name full of markup', () => {
    expect(page.text).not.toContain('alert("1")')
    expect(page.text).not.toContain('</script><script>')
    const title = /<title>(.*?)<\/title>/s.exec(page.text)?.[1] ?? ''
    expect(title).not.toMatch(/[<>]/)
  })

  test('XSS-10 allows no inline script and no frame of another origin', () => {
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/(^|; )script-src 'self'($|;)/)
    expect(policy).toMatch(/(^|; )frame-ancestors 'none'($|;)/)
    expect(policy).toMatch(/(^|; )object-src 'none'($|;)/)
    expect(policy).toMatch(/(^|; )base-uri 'none'($|;)/)
    expect(policy).not.toContain('unsafe-inline')
    expect(policy).not.toContain('unsafe-eval')
  })

  test('holds no inline script, style or event handler itself', () => {
    const scripts = [...page.text.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(match => match[1])
    expect(scripts).toEqual([' type="application/json" id="app-config"'])
    expect(page.text).not.toMatch(/<style|\sstyle=|\son\w+=/)
  })

  test('has no placeholders and loads only existing files', async () => {
    expect(page.text).not.toMatch(/__[A-Z_]+__/)
    expect(assets.length).toBeGreaterThan(1)
    for (const asset of assets) {
      expect(asset.startsWith(at('/static/')) || asset === at('/manifest.webmanifest')).toBe(true)
      expect((await plain(asset)).status).toBe(200)
    }
  })

  test.each(['/login', '/files/', '/files/a%20b/100%25/', '/share/abc', '/settings/profile', '/nonsense', '/apiary'])(
    'is also the response to %s',
    async path => {
      const answer = await call(server, path)
      expect(answer.status).toBe(200)
      expect(withoutNonce(answer.text)).toBe(withoutNonce(page.text))
    },
  )

  test('is only returned for reads', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await call(server, '/files/', { method })
      expect([404, 405]).toContain(answer.status)
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    }
  })

  test('answers HEAD without a body', async () => {
    const answer = await call(server, '/files/', { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.bytes).toHaveLength(0)
  })
})

describe('static files', () => {
  test.each([
    ['the script', script, /^(text|application)\/javascript/],
    ['the style sheet', style, /^text\/css/],
  ])('%s is cached for a year', async (_what, path, type) => {
    const answer = await plain(path)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(type)
    expect(answer.headers['cache-control']).toMatch(/^public, max-age=31536000, immutable$/)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('the script is compressed for clients that accept %s', async (encoding, unpack) => {
    const [small, whole] = [
      await rawRequest(server, { target: script, headers: { 'Accept-Encoding': encoding } }),
      await plain(script),
    ]
    expect(small.headers['content-encoding']).toBe(encoding)
    expect(small.headers.vary?.toLowerCase()).toContain('accept-encoding')
    expect(small.headers['content-type']).toBe(whole.headers['content-type'])
    expect(small.body.length).toBeLessThan(whole.body.length)
    expect(unpack(small.body).equals(whole.body)).toBe(true)
  })

  test('brotli is preferred when both are accepted, and refused encodings are not sent', async () => {
    const ask = async (accepted: string) =>
      (await rawRequest(server, { target: script, headers: { 'Accept-Encoding': accepted } })).headers[
        'content-encoding'
      ]
    expect(await ask('gzip, deflate, br')).toBe('br')
    expect(await ask('identity')).toBeUndefined()
    expect(await ask('br;q=0, gzip')).toBe('gzip')
  })

  test.each(['/static/missing.js', '/static/', '/static', '/static/assets/'])(
    '%s is answered with 404 as text',
    async path => {
      const answer = await plain(path)
      expect(answer.status).toBe(404)
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(answer.body.toString()).toBe('404 Not Found\n')
    },
  )

  test.each([
    '/static/../package.json',
    '/static/..%2f..%2fpackage.json',
    '/static/..%2findex.html',
    '/static/%2e%2e/%2e%2e/package.json',
  ])('%s gives access to no file of the program', async path => {
    const answer = await plain(path)
    expect(answer.body.toString()).not.toMatch(/"dependencies"|<html/)
    expect([400, 403, 404]).toContain(answer.status)
  })
})

describe('the API', () => {
  test.each([
    '/api',
    '/api/',
    '/api/nope',
    '/api/users/abc/def',
    '/api/resourcesfoo',
    '/api/%72awx',
    '//api',
    '//api/resources/',
    '///api/x',
    '/API/x',
    '/Api/resources/',
    '/api/%2e%2e/',
    '/api/..%2fx',
    '/%61pi/x',
    '/api%2Fx',
    '/./api/x',
    '/api\\x',
    '/health/x',
  ])('%s is answered with 404 as text, never with a page', async target => {
    const answer = await plain(at(target))
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body.toString()).toBe('404 Not Found\n')
  })

  test.each(['OPTIONS', 'TRACE', 'PROPFIND', 'LOCK'])('HTTP-10 %s on a known path is refused as text', async method => {
    const answer = await rawRequest(server, { method, target: at('/api/resources/a.txt') })
    expect([404, 405, 501]).toContain(answer.status)
    expect(answer.body.toString()).not.toContain('<')
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('HTTP-10 an override of the method by a header is ignored', async () => {
    const answer = await call(server, '/health', { headers: { 'X-HTTP-Method-Override': 'DELETE' } })
    expect(answer.status).toBe(200)
  })

  test('HDR-04 foreign origins get no CORS headers', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await call(server, '/api/resources/', { headers: { Origin: origin } })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

test.each(['/health', '/health/ready'])('OPS-05 %s reports that the server is healthy', async path => {
  const answer = await call(server, path)
  expect(answer.status).toBe(200)
  expect(answer.text).toBe('{"status":"OK"}')
})
