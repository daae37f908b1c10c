import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { rawRequest } from '../api/raw.ts'
import { snapshot } from '../api/snapshot.ts'
import { expectNoLeak, plant } from '../api/tree.ts'
import { EVERYTHING, PASSWORD, populate } from './people.ts'

const server = await serve({
  async prepare({ home, root, database }) {
    await plant(home, root)
    await plant(join(home, 'srv'), join(root, 'docs/private'))
    await populate(database, { people: [{ name: 'alice', may: EVERYTHING, scope: '/docs' }] })
  },
})
const alice = await person(server, 'alice', PASSWORD)
const outside = join(server.home, 'outside')

const VERBS = [
  { method: 'GET', route: '/api/resources' },
  { method: 'GET', route: '/api/raw' },
  { method: 'GET', route: '/api/usage' },
  { method: 'POST', route: '/api/resources', body: 'planted' },
  { method: 'POST', route: '/api/resources', query: '?override=true', body: 'planted' },
  { method: 'DELETE', route: '/api/resources' },
]

/** Requests a path, spelled as given, with every verb: refused each time, nothing disclosed, nothing changed. */
async function expectRefused(spelling: string | Buffer, statuses: readonly number[]) {
  const before = [await snapshot(server.root), await snapshot(outside)]
  for (const { method, route, query = '', body } of VERBS) {
    const target = Buffer.concat([Buffer.from(route), Buffer.from(spelling), Buffer.from(query)])
    const headers = { 'X-Auth': alice.token }
    const answer = await rawRequest(server, { method, target, headers, ...(body === undefined ? {} : { body }) })
    expect(statuses, `${method} ${route}: ${answer.status}`).toContain(answer.status)
    expectNoLeak(answer, server.home, 'alpha')
  }
  expect([await snapshot(server.root), await snapshot(outside)]).toEqual(before)
}

test.each([
  '/..',
  '/../a.txt',
  '/../',
  '/one.txt/../../a.txt',
  '/./../a.txt',
  '/%2e%2e/a.txt',
  '/%2E%2E/a.txt',
  '/.%2e/a.txt',
  '/%2e./a.txt',
  '/..%2fa.txt',
  '/..%2Fa.txt',
  '/%2e%2e%2fa.txt',
  '/private/..%2f..%2fa.txt',
  '/private/../../a.txt',
  '/private/%2e%2e/%2e%2e/a.txt',
  '/../../outside/marker.txt',
  '/..%2f..%2foutside%2fmarker.txt',
  '/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '/../../../../../../../../etc/passwd',
  '/.',
  '/./one.txt',
  '/%2e/one.txt',
  '/one.txt/.',
  '/one.txt/..',
  '//one.txt',
  '//../a.txt',
  '///one.txt',
  '/%2fone.txt',
  '/%2f%2fetc%2fpasswd',
  '/private//p.txt',
  '/....//a.txt',
  '/one.txt//',
])('PATH-01 %s gives no access', async spelling => {
  await expectRefused(spelling, [400, 403, 404])
})

test.each([
  '/one.txt%00',
  '/one.txt%00.png',
  '/%00',
  '/..%00/a.txt',
  '/%',
  '/%2',
  '/%zz',
  '/one%.txt',
  '/%u002e%u002e/a.txt',
])('PATH-02 %s is not a valid path', async spelling => {
  await expectRefused(spelling, [400])
})

test('PATH-02 raw bytes that are not UTF-8 are not a valid path', async () => {
  await expectRefused(Buffer.from([0x2f, 0xff, 0xfe]), [400])
})

test.each([
  '/%252e%252e/a.txt',
  '/%252e%252e%252fa.txt',
  '/..%5ca.txt',
  '/..%5c..%5coutside%5cmarker.txt',
  '/..;/a.txt',
  '/%ef%bc%8e%ef%bc%8e/a.txt',
  '/~root',
  '/C:%5cwindows',
  '/%5c%5cserver%5cshare',
  '/..%0a/a.txt',
  '/.../a.txt',
  '/%ff',
  '/..%c0%af',
  '/..%c0%afa.txt',
  '/%c0%ae%c0%ae/a.txt',
  '/%e0%80%ae%e0%80%ae/a.txt',
  '/%ed%a0%80',
  '/%f4%90%80%80',
])('%s is an ordinary name that does not exist', async spelling => {
  for (const route of ['/api/resources', '/api/raw', '/api/usage']) {
    const answer = await rawRequest(server, { target: route + spelling, headers: { 'X-Auth': alice.token } })
    expect(answer.status).toBe(404)
    expectNoLeak(answer, server.home, 'alpha')
  }
})

test.each([
  ['an absolute address', 'http://evil.example/api/resources/../a.txt'],
  ['an absolute address with a climbing path', 'http://evil.example/api/resources/%2e%2e/a.txt'],
  ['an asterisk', '*'],
  ['an address without a slash', 'api/resources/'],
])('PATH-03 %s as request target gives no access', async (_what, target) => {
  const answer = await rawRequest(server, { target, headers: { 'X-Auth': alice.token } })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expectNoLeak(answer, server.home, 'alpha')
})

test.each([
  '/static/../api/resources/',
  '/static/..%2fapi/resources/',
  '/x/../api/raw/one.txt',
  '/./api/raw/one.txt',
  '/%2e/api/raw/one.txt',
])('%s is not an alias of the API', async target => {
  const answer = await rawRequest(server, { target, headers: { 'X-Auth': alice.token } })
  expect(answer.status).toBeLessThan(500)
  expect(answer.body.toString()).not.toBe('one')
  expectNoLeak(answer, server.home, 'numFiles')
})

test('PATH-04 a path of 100 KiB is refused at once', async () => {
  const began = performance.now()
  const answer = await rawRequest(server, {
    target: `/api/resources/${'a/'.repeat(50 * 1024)}`,
    headers: { 'X-Auth': alice.token },
  })
  expect([400, 414, 431]).toContain(answer.status)
  expect(performance.now() - began).toBeLessThan(15_000)
})

test('PATH-04 a path of 5 000 folders is refused with a reason', async () => {
  const answer = await rawRequest(server, {
    target: `/api/resources${'/a'.repeat(5000)}`,
    headers: { 'X-Auth': alice.token },
  })
  expect(answer.status).toBe(400)
  expect(answer.body.toString()).toMatch(/too.long/)
})

test('a user sees nothing above their scope', async () => {
  const listing = await alice.get('/')
  expect(listing.status).toBe(200)
  expect(listing.text).toContain('one.txt')
  expect(listing.text).not.toContain('a.txt')
  expect(listing.text).not.toContain('docs-2')
  expect((await alice.raw('/a.txt')).status).toBe(404)
})

test('PATH-10 a user with a deleted scope gets 404, and nothing is created in its place', async () => {
  const place = await serve({
    prepare: ({ database }) => populate(database, { people: [{ name: 'bob', may: EVERYTHING, scope: '/never/made' }] }),
  })
  const bob = await person(place, 'bob', PASSWORD)
  expect((await bob.get('/')).status).toBe(404)
  expect((await bob.put('/x.txt', 'x')).status).toBe(404)
  expect((await bob.put('/folder/')).status).toBe(404)
  expect(await snapshot(place.root)).toEqual({})
  expect((await call(place, '/health')).status).toBe(200)
})
