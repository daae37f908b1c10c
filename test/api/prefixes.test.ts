import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { send } from './accounts.ts'
import { call, json, person } from './client.ts'
import { callsIn, readDescription } from './description.ts'
import { corner, openInstance } from './instance.ts'
import { rawRequest } from './raw.ts'

const wire = await openInstance()
const admin = await person(wire)
const { path: folder, disk } = await corner(wire)
await writeFile(join(disk, 'a.txt'), 'alpha')
const { token } = admin
const auth = { 'X-Auth': token }
const share = json(await send(wire, 'POST', `/api/share${folder}/`, token, {}))
const calls = callsIn(await readDescription(wire))

/** Requests a target as written, below the base URL. */
const ask = (target: string, method = 'GET', headers: Record<string, string> = auth) =>
  rawRequest(wire, { method, target: wire.base + target, headers })

/** A URL for a path of the description. */
const addressOf = (path: string) => path.replace('{path}', `${folder.slice(1)}/a.txt`).replace('{id}', '1')

describe('a prefix without its slash', () => {
  test.each(['/api/resources', '/api/usage', '/api/share', '/api/resources/recursive', '/api/search'])(
    '%s answers as the root does',
    async prefix => {
      const [bare, slashed] = await Promise.all([prefix, `${prefix}/`].map(path => call(wire, path, { token })))
      expect(bare?.status).toBe(200)
      expect(bare?.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(Object.keys(JSON.parse(bare?.text ?? ''))).toEqual(Object.keys(JSON.parse(slashed?.text ?? '')))
    },
  )

  test.each([
    ['/api/raw', 'GET', 200],
    ['/api/tus', 'POST', 400],
    ['/api/subtitle', 'GET', 400],
    ['/api/share', 'DELETE', 400],
    ['/api/resources', 'DELETE', 403],
    ['/api/resources', 'PUT', 405],
    ['/api/public/share', 'GET', 404],
    ['/api/public/dl', 'GET', 404],
  ])('%s answers %s as the root does, with %i', async (prefix, method, status) => {
    expect((await ask(prefix, method)).status).toBe(status)
    expect((await ask(`${prefix}/`, method)).status).toBe(status)
  })

  test.each(['/api/resources', '/api/raw', '/api/usage', '/api/search', '/api/share', '/api/tus', '/api/subtitle'])(
    '%s requires a session',
    async prefix => {
      expect((await ask(prefix, prefix === '/api/tus' ? 'POST' : 'GET', {})).status).toBe(401)
    },
  )
})

describe('a path that resembles a call', () => {
  test.each([
    '/api/resourcesfoo',
    '/api/preview',
    '/api/preview/',
    '/api/preview/thumb',
    '/api/rawfoo/a.txt',
    '/api/usages/',
    '/api/users/',
    '/api/users/1/',
    '/api/settings/',
    '/api/shares/',
    '/api/login/',
    '/api/resources%2Fa.txt',
    '/api//resources/',
    '/API/resources/',
    '/api',
    '/api/',
  ])('%s is 404 as text', async target => {
    const answer = await ask(target)
    expect([answer.status, answer.body.toString()]).toEqual([404, '404 Not Found\n'])
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })
})

describe('a query', () => {
  test.each(['?', '?&', '?inline=true&', '?&inline=true', '?a=1&&b=2', '?inline', '?%zz=%', '?a;b=c'])(
    'with an odd end or spelling is parsed: %s',
    async query => {
      const answer = await ask(`/api/raw${folder}/a.txt${query}`)
      expect([answer.status, answer.body.toString()]).toEqual([200, 'alpha'])
    },
  )
})

describe('an encoded slash', () => {
  test.each(['%2F', '%2f'])('%s separates names', async slash => {
    const answer = await ask(`/api/raw/${folder.slice(1)}${slash}a.txt`)
    expect([answer.status, answer.body.toString()]).toEqual([200, 'alpha'])
  })

  test.each(['%2F', '%2f'])('%s separates a link from the path after it', async slash => {
    const answer = await ask(`/api/public/dl/${share.hash}${slash}a.txt?`, 'GET', {})
    expect([answer.status, answer.body.toString()]).toEqual([200, 'alpha'])
  })

  test.each(['//', '/%2F', '/./', '/%2e%2E/'])('%s between names is refused', async between => {
    expect((await ask(`/api/raw${folder}${between}a.txt`)).status).toBe(400)
  })
})

describe('a method that a call does not support', () => {
  const paths = [...new Set(calls.map(({ path }) => path))]
  const methodsOf = (path: string) => calls.filter(call => call.path === path).map(({ method }) => method)
  const patternOf = (path: string) => new RegExp(`^${path.replace('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  // A path below a wider one, such as /api/stars/order below /api/stars/{path}, has the methods of both.
  const supported = (path: string) => calls.filter(call => patternOf(call.path).test(path)).map(({ method }) => method)
  const wrong = paths.flatMap(path =>
    ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
      .filter(method => !supported(path).includes(method) && !methodsOf(path).includes(method))
      .map(method => [method, path]),
  )

  test.each(wrong)('%s %s is 405, with the supported ones', async (method = '', path = '') => {
    const answer = await ask(addressOf(path), method)
    const allowed = answer.headers.allow?.split(', ') ?? []
    expect(answer.status).toBe(405)
    expect(allowed).toEqual(expect.arrayContaining(methodsOf(path)))
    expect(allowed).not.toContain(method)
  })

  test('is 405 for an upload to a folder, too', async () => {
    const answer = await call(wire, `/api/resources${folder}/`, { method: 'PUT', token, body: 'x' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('DELETE, GET, PATCH, POST')
  })
})
