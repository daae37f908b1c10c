import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { exchange, head, openSocket, parse, type RawRequest, rawRequest, readAll } from './raw.ts'

const wire = await openInstance()
const admin = await person(wire)
const other = await person(wire)
const { path: folder, disk } = await corner(wire)
await writeFile(join(disk, 'a.txt'), 'alpha')

const auth = { 'X-Auth': admin.token }
const at = (path: string) => wire.base + path
const file = at(`/api/raw${folder}/a.txt`)

/** One request for each kind of response. */
const ANSWERS: [string, number, RawRequest][] = [
  ['the index page', 200, { target: at('/') }],
  ['a static file that is missing', 404, { target: at('/static/none.js') }],
  ['the health check', 200, { target: at('/health') }],
  ['an unknown call', 404, { target: at('/api/none') }],
  ['a call without a session', 401, { target: at('/api/resources/') }],
  ['a refused sign-in', 403, { method: 'POST', target: at('/api/login'), body: '{}' }],
  ['a listing', 200, { target: at('/api/resources/'), headers: auth }],
  ['something missing', 404, { target: at('/api/resources/none'), headers: auth }],
  ['a bad path', 400, { target: at('/api/resources/%zz'), headers: auth }],
  ['a conflict', 409, { method: 'POST', target: at(`/api/resources${folder}/a.txt`), headers: auth, body: 'x' }],
  ['an upload', 200, { method: 'POST', target: at(`/api/resources${folder}/b.txt?override=true`), headers: auth }],
  ['a deletion', 204, { method: 'DELETE', target: at(`/api/resources${folder}/b.txt`), headers: auth }],
  ['a download', 200, { target: file, headers: auth }],
  ['a part of a download', 206, { target: file, headers: { ...auth, Range: 'bytes=0-1' } }],
  ['an unchanged download', 304, { target: file, headers: { ...auth, 'If-None-Match': '*' } }],
  ['a failed condition', 412, { target: file, headers: { ...auth, 'If-Match': '"x"' } }],
  ['a range that is not there', 416, { target: file, headers: { ...auth, Range: 'bytes=99-' } }],
  ['an unsupported expectation', 417, { target: at('/health'), headers: { Expect: 'x' } }],
  ['headers that are too large', 431, { target: at('/health'), headers: { 'X-Large': 'x'.repeat(20 * 1024) } }],
  ['a request that is none', 400, { target: at('/health'), headers: { 'Bad Name': 'x' } }],
]

describe('every response', () => {
  test.each(ANSWERS)('HDR-01 %s (%i) has the headers against sniffing and leaking', async (_what, status, request) => {
    const { headers, ...answer } = await rawRequest(wire, request)
    expect(answer.status).toBe(status)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toBeTruthy()
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each(ANSWERS.filter(([, status]) => status >= 400))(
    '%s (%i) says in one line of text what happened',
    async (_what, status, request) => {
      const answer = await rawRequest(wire, request)
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(answer.body.toString()).toMatch(new RegExp(`^${status} [A-Z][A-Za-z ]+( \\(.+\\))?\\n$`))
    },
  )
})

describe('headers', () => {
  test('HTTP-06 of 20 KiB are refused with 431', async () => {
    const answer = await rawRequest(wire, { target: at('/health'), headers: { 'X-Large': 'x'.repeat(20 * 1024) } })
    expect(answer.status).toBe(431)
    expect(answer.body.toString()).toBe('431 Request Header Fields Too Large\n')
  })

  test('HTTP-06 named like properties of prototypes do no harm', async () => {
    const headers = { __proto__: 'x', constructor: 'y', toString: 'z' }
    expect((await rawRequest(wire, { target: at('/health'), headers })).status).toBe(200)
    expect((await call(wire, '/health')).status).toBe(200)
  })

  test('a forwarded address does not change where a cookie or a redirect points', async () => {
    const headers = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Prefix': '/evil' }
    const answer = await rawRequest(wire, { target: at('/'), headers })
    expect(answer.bytes.toString()).not.toContain('evil')
  })
})

describe('HTTP-01 an ambiguous request', () => {
  const line = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n').replaceAll('\r\r', '\r'))
  const post = `POST ${at(`/api/resources${folder}/smuggled.txt`)} HTTP/1.1\nHost: x\nX-Auth: ${admin.token}\n`

  const twoAuthorizations = 'Authorization: Basic eA==\nAuthorization: Basic eQ==\n'

  test.each([
    ['a length and chunks', `${post}Content-Length: 5\nTransfer-Encoding: chunked\n\n0\n\nGET`],
    ['two lengths', `${post}Content-Length: 5\nContent-Length: 6\n\nhello!`],
    ['a list of lengths', `${post}Content-Length: 5, 5\n\nhello`],
    ['a negative length', `${post}Content-Length: -5\n\nhello`],
    ['a length with a plus', `${post}Content-Length: +5\n\nhello`],
    ['an unknown transfer coding', `${post}Transfer-Encoding: xchunked\n\n0\n\n`],
    ['chunked twice in a list', `${post}Transfer-Encoding: chunked, chunked\n\n0\n\n`],
    ['chunked twice in a list without blanks', `${post}Transfer-Encoding: chunked,chunked\n\n0\n\n`],
    ['chunked in two headers', `${post}Transfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n0\n\n`],
    ['two codings in two headers', `${post}Transfer-Encoding: gzip\nTransfer-Encoding: chunked\n\n0\n\n`],
    ['gzip before chunked', `${post}Transfer-Encoding: gzip, chunked\n\n0\n\n`],
    ['identity before chunked', `${post}Transfer-Encoding: identity, chunked\n\n0\n\n`],
    ['an empty coding before chunked', `${post}Transfer-Encoding: , chunked\n\n0\n\n`],
    ['identity alone', `${post}Transfer-Encoding: identity\n\n`],
    ['an empty transfer coding', `${post}Transfer-Encoding: \n\n`],
    ['two sessions', `${post}X-Auth: ${other.token}\nConnection: close\nContent-Length: 5\n\nhello`],
    ['the same session twice', `${post}X-Auth: ${admin.token}\nConnection: close\nContent-Length: 5\n\nhello`],
    ['two authorizations', `${post}${twoAuthorizations}Connection: close\nContent-Length: 5\n\nhello`],
    ['chunked that is not the last coding', `${post}Transfer-Encoding: chunked, identity\n\n0\n\n`],
    ['a blank before a colon', `${post}Content-Length : 5\n\nhello`],
    ['a folded header', `${post}Content-Length: 5\nX-Folded: a\n b\n\nhello`],
    ['a line that ends with a bare line feed', `${post}Content-Length: 5\r\nX-Bare: a\nX-Next: b\r\n\r\nhello`],
    ['no host', `GET ${at('/health')} HTTP/1.1\n\n`],
  ])('is refused: %s', async (_what, text) => {
    const bytes = text.includes('X-Bare') ? bareLine(text) : line(text)
    const answer = await exchange(wire, bytes)
    expect(answer.status).toBe(400)
    expect((await call(wire, `/api/resources${folder}/smuggled.txt`, { token: admin.token })).status).toBe(404)
  })

  test('ends its connection: data after a list of codings is not parsed as a request', async () => {
    const hidden = `GET ${at('/health')} HTTP/1.1\nHost: x\nConnection: close\n\n`
    const { bytes } = await exchange(wire, line(`${post}Transfer-Encoding: identity, chunked\n\n0\n\n${hidden}`))
    expect([...bytes.toString().matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => match[1])).toEqual(['400'])
  })

  test.each(['chunked', 'Chunked', '\tchunked '])(
    'does not include one with the only coding written as "%s"',
    async coding => {
      const text = post.replace('smuggled', 'chunked').replace('.txt ', '.txt?override=true ')
      const answer = await exchange(
        wire,
        line(`${text}Transfer-Encoding: ${coding}\nConnection: close\n\n2\nhi\n0\n\n`),
      )
      expect(answer.status).toBe(200)
    },
  )

  /** A valid request but for the line endings under test. */
  const bareLine = (text: string) => Buffer.from(text.replace(/\r?\n/g, '\r\n').replace('X-Bare: a\r\n', 'X-Bare: a\n'))
})

test('HTTP-07 two pipelined requests are answered in their order', async () => {
  const keep = { Connection: 'keep-alive' }
  const first = head(wire, { target: at('/health'), headers: keep })
  const second = head(wire, { target: at('/api/none') })
  const { bytes } = await exchange(wire, Buffer.concat([first, second]))
  expect([...bytes.toString().matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => match[1])).toEqual(['200', '404'])
})

test('a connection survives a refused upload', async () => {
  const headers = { ...auth, Connection: 'keep-alive', 'Content-Length': '100000' }
  const refused = head(wire, { method: 'POST', target: at(`/api/resources${folder}/a.txt`), headers })
  const next = head(wire, { target: at('/health') })
  const { bytes } = await exchange(wire, Buffer.concat([refused, Buffer.alloc(100_000, 'x'), next]))
  expect([...bytes.toString().matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => match[1])).toEqual(['409', '200'])
})

test('an upload without a session is refused before its body arrives', async () => {
  const socket = await openSocket(wire)
  const headers = { 'Content-Length': String(2 ** 40) }
  socket.write(head(wire, { method: 'POST', target: at(`/api/resources${folder}/x`), headers }))
  expect(parse(await readAll(socket)).status).toBe(401)
})

test('invalid data instead of a request is answered and the server continues', async () => {
  for (const garbage of ['\0\0\0\0\r\n\r\n', 'GET\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00', 'x'.repeat(1000)]) {
    const answer = await exchange(wire, Buffer.from(garbage, 'latin1'), { finish: true })
    expect([0, 400]).toContain(answer.status)
  }
  expect((await call(wire, '/health')).status).toBe(200)
})

test.each([
  [417, { Expect: 'x' }],
  [431, { 'X-Large': 'x'.repeat(20 * 1024) }],
])('clients that send a long body still receive a %d', async (status, headers) => {
  const body = 'x'.repeat(2 * 1024 * 1024)
  for (let round = 0; round < 10; round += 1) {
    const answer = await rawRequest(wire, { method: 'PUT', target: file, headers: { ...auth, ...headers }, body })
    expect(answer.status).toBe(status)
  }
})
