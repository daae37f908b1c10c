import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import { uniqueName } from '../api/harness.ts'
import { exchange, head, openSocket } from '../api/raw.ts'
import { account, basic, openDav } from './dav-place.ts'

const place = await openDav('--trustedProxies', '127.0.0.1')
const { dav, root } = place
const ann = await account(place)

let top: string
let disk: string
beforeEach(async () => {
  top = `/${uniqueName('t')}`
  disk = join(root, top)
  await mkdir(join(disk, 'sub'), { recursive: true })
  await writeFile(join(disk, 'a.txt'), 'content')
})

const WITH_BODY = ['PROPFIND', 'PROPPATCH', 'LOCK']

describe('DAV-04 an XML body', () => {
  const tooLong = '<a/>'.padEnd(LIMITS.xmlBody + 1)

  const { hostname: host, port } = new URL(place.url)
  const instance = { host, port: Number(port) }
  const chunkedHead = (method: string) => {
    const headers = { Authorization: basic(...ann.user), 'Transfer-Encoding': 'chunked' }
    return head(instance, { method, target: `/dav${top}/a.txt`, headers })
  }
  const chunk = (text: string) => Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`)

  test.each(WITH_BODY)('of %s that is too long is 413, whether its length is announced or not', async method => {
    expect((await dav(method, `${top}/a.txt`, { body: tooLong })).status).toBe(413)
    const bytes = Buffer.concat([chunkedHead(method), chunk(tooLong), chunk('')])
    expect((await exchange(instance, bytes)).status).toBe(413)
  })

  test.each(WITH_BODY)('of %s that never ends is refused, and its connection closed', async method => {
    const socket = await openSocket(instance)
    socket.on('error', () => undefined)
    let received = ''
    socket.setEncoding('latin1').on('data', (piece: string) => {
      received += piece
    })
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.write(chunkedHead(method))
    const piece = chunk(' '.repeat(16_384))
    const sending = setInterval(() => void (socket.writable && socket.write(piece)), 1)
    await closed.finally(() => clearInterval(sending))
    expect(received).toMatch(/^HTTP\/1\.1 413 /)
    expect(socket.bytesWritten).toBeLessThan(1024 ** 3)
    expect((await dav('PROPFIND', `${top}/a.txt`, { headers: { Depth: '0' } })).status).toBe(207)
  })
})

/** As many pieces as the body of a request may have. */
function filled(head: string, piece: (index: number) => string, tail = ''): string {
  let text = head
  for (let index = 0; ; index += 1) {
    const next = piece(index)
    if (text.length + next.length + tail.length > LIMITS.xmlBody) return text + tail
    text += next
  }
}

const LAUGHS = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
const HOSTILE: [string, string | Buffer][] = [
  ['DAV-02 entities of entities', `<!DOCTYPE a [<!ENTITY l0 "ha">${LAUGHS}]><a>&l9;</a>`],
  [
    'DAV-02 a long entity many times',
    filled(`<!DOCTYPE a [<!ENTITY l "${'x'.repeat(30_000)}">]><a>`, () => '&l;', '</a>'),
  ],
  ['DAV-03 nested elements', filled('', () => '<a>')],
  ['DAV-03 attributes', filled('<a', i => ` b${i}=""`, '/>')],
  ['DAV-03 namespaces', filled('<a', i => ` xmlns:b${i}="u"`, '/>')],
  ['DAV-03 a name', `<${'a'.repeat(LIMITS.xmlBody - 3)}/>`],
  ['DAV-05 UTF-16', Buffer.from('\u{FEFF}<a/>', 'utf16le')],
  ['DAV-05 UTF-7 as declared', '<?xml version="1.0" encoding="utf-7"?><a/>'],
  ['DAV-05 overlong UTF-8', Buffer.from([0x3c, 0x61, 0x3e, 0xc0, 0xbc, 0x3c, 0x2f, 0x61, 0x3e])],
  ['DAV-05 NUL', '<a>\0</a>'],
  ['DAV-05 a prefix without a namespace', '<a xmlns:x=""/>'],
]

test.each(HOSTILE)('%s in the body of a request is 400, and changes nothing', async (_name, body) => {
  const state = async () => (await dav('PROPFIND', `${top}/a.txt`, { headers: { Depth: '0' } })).body.toString()
  const before = await state()
  for (const method of WITH_BODY) {
    const answer = await dav(method, `${top}/a.txt`, { user: ann.user, body, headers: { Depth: '0' } })
    expect([method, answer.status]).toEqual([method, 400])
    expect(answer.body.length).toBeLessThan(1024)
  }
  expect(await state()).toBe(before)
  expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('content')
})

test.each([
  ['a name', `<${'a'.repeat(60_000)}/>`],
  ['a namespace', `<a xmlns="${'a'.repeat(60_000)}"/>`],
])(
  'DAV-03 a property with %s of 60 000 characters is 400: no listing repeats it for each item',
  async (_what, name) => {
    const body = `<D:propfind xmlns:D="DAV:"><D:prop>${name}</D:prop></D:propfind>`
    expect((await dav('PROPFIND', `${top}/`, { headers: { Depth: '1' }, body })).status).toBe(400)
  },
)

test.each([
  ['page.html', '<script>alert(1)</script>'],
  ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['styled.xml', '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="evil.xsl"?><a/>'],
  ['evil.xsl', '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>'],
])('DAV-18 stored %s runs nothing', async (name, content) => {
  await writeFile(join(disk, name), content)
  const answer = await dav('GET', `${top}/${name}`)
  expect([answer.status, answer.body.toString()]).toEqual([200, content])
  const policy = answer.headers['content-security-policy'] ?? ''
  expect(policy).toMatch(/(?:^|; *)sandbox(?:;|$)/)
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('allow-scripts')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
})

test('DAV-21 a lock on a folder above a scope shows no path of above inside', async () => {
  const outer = `${uniqueName('outer-secret')}`
  await mkdir(join(disk, outer, 'inner'), { recursive: true })
  await writeFile(join(disk, outer, 'inner/b.txt'), 'b')
  const inside = await account(place, { scope: `${top}/${outer}/inner` })
  const lockinfo =
    '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'
  const locked = await dav('LOCK', `${top}/${outer}`, { user: ann.user, body: lockinfo })
  expect(locked.status).toBe(200)
  const find = '<D:propfind xmlns:D="DAV:"><D:prop><D:lockdiscovery/></D:prop></D:propfind>'
  const answers = await Promise.all([
    ...['0', '1', 'infinity'].map(Depth => dav('PROPFIND', '/', { user: inside.user, headers: { Depth }, body: find })),
    dav('PROPFIND', '/b.txt', { user: inside.user, headers: { Depth: '0' }, body: find }),
    dav('PUT', '/b.txt', { user: inside.user, body: 'x' }),
    dav('LOCK', '/b.txt', { user: inside.user, body: lockinfo }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([207, 207, 207, 207, 423, 423])
  expect(answers[0]?.bytes.toString()).toContain('activelock')
  for (const { bytes } of answers) {
    expect(bytes.toString()).not.toContain(outer)
    expect(bytes.toString()).not.toContain(top)
  }
  expect(await readFile(join(disk, outer, 'inner/b.txt'), 'utf8')).toBe('b')
})

describe('DAV-26 Basic over plain HTTP', () => {
  const from = (address: string, more: Record<string, string> = {}) => ({
    headers: { 'X-Forwarded-For': address, Depth: '0', ...more },
  })
  const wrong = [ann.name, 'wrong'] as const

  test('from a public address is refused, whether the password is right, and is not judged', async () => {
    const right = await dav('PROPFIND', `${top}/`, { user: ann.user, ...from('203.0.113.9') })
    expect(right.status).toBe(403)
    expect(right.body.toString()).toContain('HTTPS')
    for (let guess = 0; guess < 20; guess += 1)
      expect((await dav('PROPFIND', `${top}/`, { user: wrong, ...from('203.0.113.9') })).status).toBe(403)
    expect((await dav('PROPFIND', `${top}/`, { user: ann.user, ...from('10.0.0.9') })).status).toBe(207)
  })

  test('is taken from a private address, and over HTTPS by the word of a trusted proxy', async () => {
    const secure = { 'X-Forwarded-Proto': 'https' }
    expect((await dav('PROPFIND', `${top}/`, { user: ann.user, ...from('203.0.113.9', secure) })).status).toBe(207)
  })
})

describe('DAV-26 where no proxy is trusted', async () => {
  const alone = await openDav()
  test('a forged header changes neither the address nor the protocol', async () => {
    const { user } = await account(alone)
    const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https', Depth: '0' }
    expect((await alone.dav('PROPFIND', '/', { user, headers })).status).toBe(207)
    expect(await readFile(alone.log, 'utf8')).not.toContain('203.0.113.9')
  })
})

describe('DAV-28 a file over WebDAV', async () => {
  const apart = await openDav('--contentOrigin', 'https://content.example')
  const handing = await openDav('--accelRedirect', '/filigree-files/', '--trustedProxies', '127.0.0.1')

  test('is not at the origin of contents, and is sent here without a redirect', async () => {
    await writeFile(join(apart.root, 'page.html'), 'page')
    const { user } = await account(apart)
    const there = await apart.dav('GET', '/page.html', { user, headers: { Host: 'content.example' } })
    expect(there.status).toBe(404)
    for (const headers of [{}, { 'Sec-Fetch-Dest': 'document' }, { Accept: 'text/html,*/*' }]) {
      const here = await apart.dav('GET', '/page.html', { user, headers })
      expect([here.status, here.body.toString(), here.headers.location]).toEqual([200, 'page', undefined])
    }
  })

  test('is handed over to a reverse proxy that sends files', async () => {
    await writeFile(join(handing.root, 'a.txt'), 'content')
    const { user } = await account(handing)
    const headers = { 'X-Forwarded-For': '10.0.0.9' }
    const answer = await handing.dav('GET', '/a.txt', { user, headers })
    expect([answer.status, answer.headers['x-accel-redirect']]).toEqual([200, '/filigree-files/a.txt'])
  })
})
