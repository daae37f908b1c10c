import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { perm } from '../api/accounts.ts'
import { entriesIn } from '../api/descriptors.ts'
import { ADMIN_PASSWORD, uniqueName } from '../api/harness.ts'
import { exchange, head, openSocket } from '../api/raw.ts'
import { makePipe } from '../api/tree.ts'
import { account, basic, type DavRequest, inFolder, makeToken, openDav, withToken } from './dav-place.ts'

const place = await openDav()
const { dav, root, url, server, context } = place
const ann = await account(place)
const { hostname: host, port } = new URL(url)
const instance = { host, port: Number(port) }

const LOCKINFO =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'
const PATCH =
  '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x">1</x></D:prop></D:set></D:propertyupdate>'

let top: string
let disk: string
beforeEach(async () => {
  top = `/${uniqueName('t')}`
  disk = join(root, top)
  await mkdir(join(disk, 'in'), { recursive: true })
  await writeFile(join(disk, 'a.txt'), 'content')
  await writeFile(join(disk, 'in', 'b.txt'), 'inside')
})

const statuses = async (requests: [method: string, path: string, more?: DavRequest][]) => {
  const found: string[] = []
  for (const [method, path, more] of requests) found.push(`${method} ${(await dav(method, top + path, more)).status}`)
  return found
}

describe('DAV-14 an upload that is under way', () => {
  test.each<[string, (who: { id: number; token: string }) => Promise<unknown>]>([
    ['its token is ended', ({ id, token }) => context.endTokens(id, token)],
    ['its user is removed', ({ id }) => place.admin.remove(id)],
    ['its user loses the right', ({ id }) => place.admin.update(id, ['perm'], { perm: perm('download') })],
  ])('publishes nothing when %s', async (_name, take) => {
    const who = await account(place)
    const { secret, token } = await makeToken(place, who.id)
    const socket = await openSocket(instance)
    const ended = new Promise<string>(resolve => {
      let received = ''
      socket.setEncoding('latin1').on('data', (piece: string) => {
        received += piece
      })
      for (const event of ['end', 'close', 'error']) socket.once(event, () => resolve(received))
    })
    const headers = { Authorization: basic('any', secret), 'Content-Length': '1000000' }
    socket.write(head(instance, { method: 'PUT', target: `/dav${top}/in/new.bin`, headers }))
    socket.write(Buffer.alloc(400_000))
    const began = performance.now()
    await expect.poll(() => entriesIn(join(disk, 'in'), process)).toBeGreaterThan(1)
    await take({ id: who.id, token: token.id })
    // Rights are asked again for what takes longer than a moment.
    await expect.poll(() => performance.now() - began).toBeGreaterThan(200)
    socket.write(Buffer.alloc(600_000))
    expect(await ended).not.toMatch(/^HTTP\/1\.1 2/)
    expect(await readdir(join(disk, 'in'))).toEqual(['b.txt'])
  })
})

describe('DAV-15 a token that reads one folder', () => {
  test('reads there, and neither changes, moves, copies, locks nor lists anything else', async () => {
    const { secret } = await makeToken(place, ann.id, { folders: [inFolder(`${top}/in`)], scopes: ['read'] })
    const { user } = withToken(secret)
    const to = (path: string) => ({ user, headers: { Destination: `/dav${top}${path}` } })
    expect((await dav('GET', `${top}/in/b.txt`, { user })).body.toString()).toBe('inside')
    const refused = await statuses([
      ['PUT', '/in/b.txt', { user, body: 'x' }],
      ['MOVE', '/in/b.txt', to('/b.txt')],
      ['COPY', '/a.txt', to('/in/a.txt')],
      ['MKCOL', '/in/new', { user }],
      ['DELETE', '/in/b.txt', { user }],
      ['LOCK', '/in/b.txt', { user, body: LOCKINFO }],
      ['PROPPATCH', '/in/b.txt', { user, body: PATCH }],
      ['GET', '/a.txt', { user }],
    ])
    expect(refused.map(text => text.split(' ')[1])).toEqual(refused.map(() => '403'))
    expect([(await readdir(disk)).sort(), await readdir(join(disk, 'in'))]).toEqual([['a.txt', 'in'], ['b.txt']])
  })

  test('sees no name of the folders above', async () => {
    const { secret } = await makeToken(place, ann.id, { folders: [inFolder(`${top}/in`)], scopes: ['write'] })
    const { user } = withToken(secret)
    for (const path of ['/', `${top}/`])
      for (const depth of ['0', '1', 'infinity'])
        expect((await dav('PROPFIND', path, { user, headers: { Depth: depth } })).body.toString()).not.toContain(
          'a.txt',
        )
    const outside = await statuses([
      ['MOVE', '/in/b.txt', { user, headers: { Destination: `/dav${top}/b.txt` } }],
      ['COPY', '/a.txt', { user, headers: { Destination: `/dav${top}/in/a.txt` } }],
    ])
    expect(outside).toEqual(['MOVE 403', 'COPY 403'])
  })
})

describe('DAV-16 the page of another site', () => {
  const METHODS = ['GET', 'PUT', 'DELETE', 'MKCOL', 'COPY', 'MOVE', 'PROPFIND', 'PROPPATCH', 'LOCK', 'UNLOCK']

  test.each(METHODS)('cannot send %s, though the browser has a password', async method => {
    const headers = { Origin: 'https://evil.example', Destination: `/dav${top}/stolen` }
    const answer = await dav(method, `${top}/a.txt`, { headers })
    expect([answer.status, Object.keys(answer.headers).filter(name => name.startsWith('access-control'))]).toEqual([
      403,
      [],
    ])
    expect((await readdir(disk)).sort()).toEqual(['a.txt', 'in'])
  })

  test('gets no permission from a preflight, cannot post a form, and shows no file as its image', async () => {
    const asking = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PROPFIND' }
    const preflight = await dav('OPTIONS', `${top}/a.txt`, { user: false, headers: asking })
    expect(Object.keys(preflight.headers).filter(name => name.startsWith('access-control'))).toEqual([])
    const form = { 'Content-Type': 'multipart/form-data; boundary=x' }
    expect((await dav('POST', `${top}/a.txt`, { headers: form, body: '--x--' })).status).toBe(405)
    const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Mode': 'no-cors' }
    expect((await dav('GET', `${top}/a.txt`, { headers: image })).status).toBe(403)
    expect((await dav('GET', `${top}/a.txt`)).headers['cross-origin-resource-policy']).toBe('same-origin')
  })
})

test('DAV-19 a lock of a folder shows nothing that a rule denies in it, and neither does an If', async () => {
  await writeFile(join(disk, 'in', 'secret.txt'), 'secret')
  const etag = (await dav('GET', `${top}/in/secret.txt`)).headers.etag
  const { user } = await account(place, { rules: [{ path: `${top}/in/secret.txt` }] })
  const body = LOCKINFO
  const locked = await dav('LOCK', `${top}/in`, { user, body, headers: { Depth: 'infinity' } })
  const ask = (name: string) => dav('PROPFIND', `${top}/in/${name}`, { user, headers: { Depth: '0' } })
  expect((await ask('secret.txt')).status).toBe(403)
  const token = locked.headers['lock-token'] ?? ''
  const put = (condition: string) =>
    dav('PUT', `${top}/in/b.txt`, { user, body: 'x', headers: { If: `</dav${top}/in/secret.txt> (${condition})` } })
  expect([(await put(`[${etag}]`)).status, (await put(token || '<none:>')).status]).toEqual([412, 412])
  expect(await readFile(join(disk, 'in', 'b.txt'), 'utf8')).toBe('inside')
})

describe('DAV-20 what is no file of the scope', () => {
  test.each<[string, (at: string) => Promise<unknown>]>([
    ['a link to a folder outside', at => symlink('/etc', at)],
    ['a link to a file outside', at => symlink('/etc/hostname', at)],
    ['a link to nothing', at => symlink('/nowhere/at/all', at)],
    ['a link to itself', at => symlink(at, at)],
    ['a FIFO', async at => makePipe(at)],
    ['a socket', listenAt],
  ])('%s is not read, written, replaced or locked', async (_name, make) => {
    await make(join(disk, 'odd'))
    const { user } = ann
    const body = 'x'
    const found = await statuses([
      ['GET', '/odd', { user }],
      ['HEAD', '/odd', { user }],
      ['PUT', '/odd', { user, body }],
      ['PROPFIND', '/odd', { user, headers: { Depth: '1' } }],
      ['PROPPATCH', '/odd', { user, body: PATCH }],
      ['LOCK', '/odd', { user, body: LOCKINFO }],
      ['MKCOL', '/odd', { user }],
      ['COPY', '/a.txt', { user, headers: { Destination: `/dav${top}/odd` } }],
      ['GET', '/odd/passwd', { user }],
      ['PUT', '/odd/new', { user, body }],
    ])
    expect(found.filter(text => !/ 4\d\d$/.test(text))).toEqual([])
    const listed = await dav('PROPFIND', `${top}/`, { user, headers: { Depth: 'infinity' } })
    expect([listed.status, listed.body.includes('/odd')]).toEqual([207, false])
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('content')
    expect((await readdir(disk)).sort()).toEqual(['a.txt', 'in', 'odd'])
  })
})

/** A Unix socket, for as long as the test. */
async function listenAt(path: string): Promise<void> {
  const listening = createServer()
  await new Promise<void>(resolve => listening.listen(path, resolve))
  onTestFinished(() => void listening.close())
}

describe('DAV-24 a file keeps its content', () => {
  const file = () => readFile(join(disk, 'a.txt'), 'utf8')
  const digest = (algorithm: string, encoding: 'hex' | 'base64') =>
    createHash(algorithm).update('the new content').digest(encoding)
  const put = (headers: Record<string, string>) => dav('PUT', `${top}/a.txt`, { headers, body: 'the new content' })

  test('when an upload breaks off, wherever it does', async () => {
    const content = Buffer.alloc(80_000, 'x')
    for (let eighth = 0; eighth < 8; eighth += 1) {
      const headers = { Authorization: basic('admin', ADMIN_PASSWORD), 'Content-Length': String(content.length) }
      const socket = await openSocket(instance)
      socket.write(head(instance, { method: 'PUT', target: `/dav${top}/a.txt`, headers }))
      const gone = new Promise(resolve => socket.once('close', resolve))
      socket.end(content.subarray(0, eighth * 10_000))
      socket.resume().on('error', () => undefined)
      await gone
      expect(await file()).toBe('content')
    }
    await expect.poll(() => entriesIn(disk, process)).toBe(2)
    expect((await readdir(disk)).sort()).toEqual(['a.txt', 'in'])
  })

  test('when two lengths are announced', async () => {
    const both = {
      Authorization: basic('admin', ADMIN_PASSWORD),
      'Content-Length': '3',
      'Transfer-Encoding': 'chunked',
    }
    const bytes = head(instance, { method: 'PUT', target: `/dav${top}/a.txt`, headers: both })
    const answer = await exchange(instance, Buffer.concat([bytes, Buffer.from('3\r\nabc\r\n0\r\n\r\n')]))
    expect(answer.status).toBe(400)
    expect(await file()).toBe('content')
  })

  test.each([
    ['OC-Checksum', () => `SHA1:${'0'.repeat(40)}`],
    ['OC-Checksum', () => `MD5:${digest('md5', 'hex').slice(2)}`],
    ['OC-Checksum', () => `SHA256:${'f'.repeat(64)}`],
    ['Content-MD5', () => Buffer.alloc(16).toString('base64')],
    ['Repr-Digest', () => `sha-512=:AAAA:, sha-256=:${Buffer.alloc(32).toString('base64')}:`],
  ])('when %s is of another content', async (name, value) => {
    const answer = await put({ [name]: value() })
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'checksum_mismatch'])
    expect(await file()).toBe('content')
    await rm(join(disk, 'a.txt'))
    expect((await put({ [name]: value() })).status).toBe(400)
    expect(await readdir(disk)).toEqual(['in'])
  })

  test.each([
    ['OC-Checksum', () => `SHA1:${digest('sha1', 'hex')}`],
    ['OC-Checksum', () => `md5:${digest('md5', 'hex').toUpperCase()}`],
    ['OC-Checksum', () => 'ADLER32:12345678'],
    ['Content-MD5', () => digest('md5', 'base64')],
    ['Repr-Digest', () => `sha-256=:${digest('sha256', 'base64')}:`],
  ])('no longer when %s is that of the new one, or of a kind that is not compared', async (name, value) => {
    expect((await put({ [name]: value() })).status).toBe(204)
    expect(await file()).toBe('the new content')
  })
})

describe('DAV-25 a header that decides', () => {
  const REPEATED: [string, string, string, string][] = [
    ['Depth', 'DELETE', '0', 'infinity'],
    ['Destination', 'MOVE', 'X', 'Y'],
    ['If', 'PUT', '(<x:1>)', '(Not <x:1>)'],
    ['Lock-Token', 'UNLOCK', '<x:1>', '<x:2>'],
    ['Overwrite', 'COPY', 'T', 'F'],
    ['Timeout', 'LOCK', 'Second-1', 'Infinite'],
    ['X-OC-Mtime', 'PUT', '1', '2'],
    ['OC-Checksum', 'PUT', 'MD5:00', 'MD5:01'],
  ]

  test.each(REPEATED)('is not sent twice: %s', async (name, method, one, other) => {
    const destination = `${url}${top}/b.txt`
    const [first, second] = name === 'Destination' ? [destination, `${destination}x`] : [one, other]
    const more = name === 'Destination' ? {} : { Destination: destination }
    const headers = { ...more, [name]: first, [name.toLowerCase()]: second }
    expect((await dav(method, `${top}/a.txt`, { headers, body: method === 'LOCK' ? LOCKINFO : 'x' })).status).toBe(400)
    expect((await readdir(disk)).sort()).toEqual(['a.txt', 'in'])
  })

  test.each([
    ['PROPFIND', { Depth: '2' }],
    ['COPY', { Depth: '1' }],
    ['MOVE', { Depth: '0' }],
    ['COPY', { Overwrite: 'yes' }],
    ['COPY', { Destination: '' }],
    ['PUT', { If: '(' }],
    ['PUT', { 'X-OC-Mtime': '1e400' }],
  ])('has a value that it can have: %s %j', async (method, headers) => {
    const all = { Destination: `/dav${top}/b`, ...headers }
    const { status } = await dav(method, `${top}/a.txt`, { headers: all, ...(method === 'PUT' && { body: 'x' }) })
    expect(status).toBe(400)
    expect((await readdir(disk)).sort()).toEqual(['a.txt', 'in'])
  })

  test.each(['-1, Second-99999999999', 'Infinite', 'Second-99999999999999999999'])(
    'Timeout is the longest time of a lock where it says more: %s',
    async timeout => {
      const answer = await dav('LOCK', `${top}/a.txt`, { body: LOCKINFO, headers: { Timeout: timeout } })
      expect(answer.status).toBe(200)
      const [, seconds] = /Second-(\d+)</.exec(answer.body.toString()) ?? []
      expect(Number(seconds)).toBeGreaterThan(3500)
      expect(Number(seconds)).toBeLessThanOrEqual(3600)
    },
  )
})

test('what was asked for the whole time still works', async () => {
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect((await dav('PROPFIND', `${top}/`, { headers: { Depth: '1' } })).status).toBe(207)
})
