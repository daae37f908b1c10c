import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openSocket, readAll } from '../api/raw.ts'
import { callsOf, openWorld } from './world.ts'

const world = await openWorld()
const user = await world.enrol({ perm: ALL_PERMISSIONS })
const tokenOf = () => world.context.sessions.start(user)
const exampleOf = (path: string) => path.replace(/\*$/, 'nothing.txt').replace(/:\w+/g, '999999')

/** Calls that read a JSON body. */
const calls = callsOf(world.routes).filter(({ route }) => route.schema !== undefined)
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** Bodies that are invalid everywhere, or too large. */
const BODIES: [string, string][] = [
  ['no JSON', '{'],
  ['a number', '7'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['truth', 'true'],
  ['nesting without end', nested(30_000)],
  ['a prototype', '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'],
  ['a hundred thousand keys', `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join()}}`],
]

describe('MX-06 a body that is', () => {
  test.each(BODIES)('%s is refused by every call that reads one, at once and without harm', async (_what, body) => {
    const before = await world.manifest()
    const token = await tokenOf()
    const wrong: string[] = []
    for (const { method, name, route } of calls) {
      const { status } = await world.ask({ method, target: exampleOf(route.path), token, body })
      if (status < 400 || status >= 500) wrong.push(`${name}: ${status}`)
    }
    expect(wrong).toEqual([])
    expect(await world.manifest()).toEqual(before)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test('one byte beyond the limit of its call is refused as such', async () => {
    const token = await tokenOf()
    const statuses = new Set<number>()
    for (const { method, route } of calls) {
      const body = `"${'x'.repeat((route.bodyLimit ?? LIMITS.jsonBody) - 1)}"`
      statuses.add((await world.ask({ method, target: exampleOf(route.path), token, body })).status)
    }
    expect([...statuses]).toEqual([413])
  })

  test('endless is cut off at the limit', async () => {
    const token = await tokenOf()
    for (const { method, route } of calls) {
      const socket = await openSocket({ host: '127.0.0.1', port: world.port })
      const received = readAll(socket)
      const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
      socket.write(
        `${method} ${exampleOf(route.path)} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
      )
      for (let sent = 0; sent < 24 && !socket.destroyed; sent += 1) socket.write(chunk)
      socket.end('0\r\n\r\n')
      expect((await received).toString('latin1', 0, 12), route.path).toMatch(/^HTTP\/1\.1 4\d\d/)
    }
  })
})

describe('XSS-05 what a client writes into', () => {
  const MARK = '<script>canary7</script>'
  const everything = callsOf(world.routes).filter(({ route }) => route.path !== '/api/events')

  test('a URL or a header appears in no page and no header', async () => {
    const wrong: string[] = []
    for (const { method, name, route } of everything) {
      for (const query of [`?x=${encodeURIComponent(MARK)}`, '?x=%0d%0aX-Injected:%201']) {
        const target = `${exampleOf(route.path)}${query}`
        const reply = await world.ask({ method, target, headers: { 'User-Agent': MARK, Referer: MARK } })
        if (reply.headers['x-injected'] !== undefined) wrong.push(`${name}: a header`)
        if (reply.text.includes('<script>canary7')) wrong.push(`${name}: markup`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('HDR-01 HDR-04 every call has the protecting headers, and allows no foreign origin', async () => {
    const wrong: string[] = []
    for (const { method, name, route } of everything) {
      const headers = { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'PUT' }
      for (const verb of [method, 'OPTIONS']) {
        const { headers: answered } = await world.ask({ method: verb, target: exampleOf(route.path), headers })
        const names = Object.keys(answered)
        if (names.some(header => header.startsWith('access-control-'))) wrong.push(`${verb} ${name}: lets in`)
        if (answered['x-content-type-options'] !== 'nosniff') wrong.push(`${verb} ${name}: may be sniffed`)
        if (answered['referrer-policy'] !== 'no-referrer') wrong.push(`${verb} ${name}: refers`)
        if (!answered['content-security-policy']?.includes("frame-ancestors 'none'"))
          wrong.push(`${verb} ${name}: framed`)
        for (const header of ['cross-origin-opener-policy', 'cross-origin-resource-policy', 'permissions-policy']) {
          if (!names.includes(header)) wrong.push(`${verb} ${name}: no ${header}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

test('HTTP-04 HTTP-05 UPL-19 a slow body may take as long as it arrives, a silent one is ended, and connections are limited', () => {
  const { server } = world
  expect(server.requestTimeout).toBe(0)
  expect(server.headersTimeout).toBe(LIMITS.headersTimeout)
  expect(server.timeout).toBe(LIMITS.idleTimeout)
  expect(server.maxConnections).toBe(LIMITS.connections)
})

test('MX-05 none of these responses contained a secret', () => {
  expect(world.seen.answers).toBeGreaterThan(100)
  expect(world.seen.leaks).toEqual([])
})

test('CSRF-02 reads change nothing, on any call', async () => {
  const token = await tokenOf()
  const before = await world.manifest()
  for (const { method, route } of callsOf(world.routes)) {
    if (method !== 'GET' || ['/api/events', '/api/renew'].includes(route.path)) continue
    for (const path of ['a.txt', 'docs/', 'nothing.txt']) {
      await world.ask({ method, target: route.path.replace(/\*$/, path).replace(/:\w+/g, '1'), token })
    }
  }
  expect(await world.manifest()).toEqual(before)
})

test('HTTP-16 a handler that throws fails its own request only, and discloses no reason', async () => {
  const token = await tokenOf()
  const { files } = world.context
  const whole = files.for
  files.for = () => {
    throw new Error('the reason why')
  }
  const statuses = new Set<number>()
  for (const { method, route } of callsOf(world.routes)) {
    if (!route.path.startsWith('/api/resources') && !route.path.startsWith('/api/raw')) continue
    const reply = await world.ask({ method, target: exampleOf(route.path), token })
    statuses.add(reply.status)
    expect(reply.text).not.toContain('reason')
  }
  files.for = whole
  expect(statuses).toContain(500)
  expect((await world.ask({ method: 'GET', target: '/api/resources/', token })).status).toBe(200)
})
