import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { openSocket, rawRequest } from './raw.ts'

const wire = await openInstance()
const admin = await person(wire)
const WHEN = new Date('2026-03-04T05:06:07.800Z')
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

const { path: folder, disk } = await corner(wire)
await writeFile(join(disk, 'a.txt'), ALPHABET)
await utimes(join(disk, 'a.txt'), WHEN, WHEN)

const get = (headers: Record<string, string> = {}, query = '') => admin.raw(`${folder}/a.txt`, query, headers)

async function stored(name: string, content: string | Buffer = 'content'): Promise<string> {
  await writeFile(join(disk, name), content)
  return `${folder}/${name}`
}

test('a download returns the bytes and their content type', async () => {
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 31) % 256))
  const answer = await admin.raw(await stored('big.bin', bytes))
  expect(answer.status).toBe(200)
  expect(answer.bytes.equals(bytes)).toBe(true)
  expect(answer.headers.get('content-length')).toBe('3000000')
  expect(answer.headers.get('accept-ranges')).toBe('bytes')
  expect(answer.headers.get('cache-control')).toMatch(/^private/)
  expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/)
})

test('Last-Modified is the modification time of the file', async () => {
  expect((await get()).headers.get('last-modified')).toBe('Wed, 04 Mar 2026 05:06:07 GMT')
})

test('HEAD returns the same headers and no body', async () => {
  const full = await get()
  const bare = await call(wire, `/api/raw${folder}/a.txt`, { method: 'HEAD', token: admin.token })
  expect(bare.status).toBe(200)
  expect(bare.bytes).toHaveLength(0)
  for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'content-disposition']) {
    expect(bare.headers.get(name)).toBe(full.headers.get(name))
  }
})

test('an empty file is downloaded', async () => {
  const answer = await admin.raw(await stored('empty', ''))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-length')).toBe('0')
})

test.each([
  ['bytes=0-4', 'abcde', 'bytes 0-4/26'],
  ['bytes=5-5', 'f', 'bytes 5-5/26'],
  ['bytes=20-', 'uvwxyz', 'bytes 20-25/26'],
  ['bytes=-3', 'xyz', 'bytes 23-25/26'],
  ['bytes=-100', ALPHABET, 'bytes 0-25/26'],
  ['bytes=20-9999', 'uvwxyz', 'bytes 20-25/26'],
])('the range %s returns %s', async (range, text, place) => {
  const answer = await get({ Range: range })
  expect(answer.status).toBe(206)
  expect(answer.text).toBe(text)
  expect(answer.headers.get('content-range')).toBe(place)
  expect(answer.headers.get('content-length')).toBe(String(text.length))
})

test('several ranges are returned as parts', async () => {
  const answer = await get({ Range: 'bytes=0-1, 24-' })
  expect(answer.status).toBe(206)
  const boundary = /^multipart\/byteranges; boundary=(\S+)$/.exec(answer.headers.get('content-type') ?? '')?.[1]
  const parts = answer.text.split(`--${boundary}`).slice(1, -1)
  expect(parts.map(part => part.split('\r\n\r\n')[1]?.trim())).toEqual(['ab', 'yz'])
  expect(parts[0]).toContain('Content-Range: bytes 0-1/26')
  expect(parts[1]).toContain('Content-Range: bytes 24-25/26')
  expect(answer.headers.get('content-length')).toBe(String(answer.bytes.length))
})

test.each(['bytes=26-', 'bytes=1000-2000', 'bytes=-0'])('HTTP-08 the range %s cannot be satisfied', async range => {
  const answer = await get({ Range: range })
  expect(answer.status).toBe(416)
  expect(answer.headers.get('content-range')).toBe('bytes */26')
  expect(answer.headers.get('content-disposition')).toBeNull()
  expect(answer.text).toBe('416 Requested Range Not Satisfiable\n')
})

test.each(['bytes=5-2', 'bytes=a-b', 'lines=1-2', 'bytes=', `bytes=${'0-1,'.repeat(200)}0-1`])(
  'the invalid range %s returns the whole file',
  async range => {
    const answer = await get({ Range: range })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(ALPHABET)
  },
)

test('If-None-Match with the current ETag returns 304', async () => {
  const etag = (await get()).headers.get('etag') ?? ''
  for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await get({ 'If-None-Match': value })
    expect(answer.status).toBe(304)
    expect(answer.bytes).toHaveLength(0)
    expect(answer.headers.get('etag')).toBe(etag)
  }
  expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200)
})

test('If-Modified-Since returns 304 for a file that is no newer', async () => {
  const since = (await get()).headers.get('last-modified') ?? ''
  expect((await get({ 'If-Modified-Since': since })).status).toBe(304)
  expect((await get({ 'If-Modified-Since': 'Wed, 04 Mar 2026 05:06:06 GMT' })).status).toBe(200)
  expect((await get({ 'If-Modified-Since': 'nonsense' })).status).toBe(200)
})

test('If-None-Match takes precedence over If-Modified-Since', async () => {
  const since = (await get()).headers.get('last-modified') ?? ''
  expect((await get({ 'If-Modified-Since': since, 'If-None-Match': '"other"' })).status).toBe(200)
})

test('If-Match and If-Unmodified-Since refuse another version', async () => {
  const etag = (await get()).headers.get('etag') ?? ''
  expect((await get({ 'If-Match': '"other"' })).status).toBe(412)
  expect((await get({ 'If-Match': etag })).status).toBe(200)
  expect((await get({ 'If-Unmodified-Since': 'Wed, 04 Mar 2026 05:06:06 GMT' })).status).toBe(412)
  expect((await get({ 'If-Unmodified-Since': 'Wed, 04 Mar 2026 05:06:07 GMT' })).status).toBe(200)
})

test('LOCK-07 If-Range returns the part of the same version and the whole of another', async () => {
  const { headers } = await get()
  const range = { Range: 'bytes=0-1' }
  expect((await get({ ...range, 'If-Range': headers.get('etag') ?? '' })).status).toBe(206)
  expect((await get({ ...range, 'If-Range': headers.get('last-modified') ?? '' })).status).toBe(206)
  expect((await get({ ...range, 'If-Range': '"other"' })).status).toBe(200)
  expect((await get({ ...range, 'If-Range': 'Wed, 04 Mar 2020 05:06:07 GMT' })).status).toBe(200)
})

test('every change of a file changes its ETag', async () => {
  const file = await stored('changing.txt', 'one')
  const first = (await admin.raw(file)).headers.get('etag')
  await writeFile(join(disk, 'changing.txt'), 'two')
  expect((await admin.raw(file)).headers.get('etag')).not.toBe(first)
})

test('a download is saved under its own name, whatever its content', async () => {
  const answer = await admin.raw(await stored('Größe "50%" (é) & +.txt'))
  const expected = "attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe%20%2250%25%22%20%28%C3%A9%29%20&%20+.txt"
  expect(answer.headers.get('content-disposition')).toBe(expected)
})

test('XSS-05 a name with line breaks cannot add a header', async () => {
  const answer = await admin.raw(await stored('a\r\nX-Evil: 1\r\n\r\nbody'))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-evil')).toBeNull()
  expect(answer.text).toBe('content')
})

test.each(['page.html', 'image.svg', 'script.js', 'note.txt', 'none'])(
  'XSS-01 HDR-06 %s is an attachment',
  async name => {
    const answer = await admin.raw(await stored(name))
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  },
)

test.each([
  ['photo.png', 'image/png'],
  ['note.txt', 'text/plain; charset=utf-8'],
  ['page.html', 'text/html; charset=utf-8'],
  ['drawing.svg', 'image/svg+xml'],
])('inline=true shows %s as %s', async (name, type) => {
  const answer = await admin.raw(await stored(name), '?inline=true')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe(type)
  expect(answer.headers.get('content-disposition')).toBe(`inline; filename*=utf-8''${name}`)
})

test.each(['1', 'TRUE', 'yes', ''])('inline=%s is an attachment', async value => {
  expect((await get({}, `?inline=${value}`)).headers.get('content-disposition')).toMatch(/^attachment;/)
})

test.each(['page.html', 'page.xhtml', 'drawing.svg', 'feed.xml', 'none', 'odd.weird'])(
  'a script in %s cannot act for the reader',
  async name => {
    const answer = await admin.raw(await stored(name, '<script>alert(1)</script>'), '?inline=true')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/(^|; )sandbox($|;)/)
    expect(policy).not.toContain('allow-')
    expect(policy).not.toMatch(/script-src (?!'none')/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  },
)

test('a folder is downloaded as an archive of its name', async () => {
  await mkdir(join(disk, 'sub'))
  await writeFile(join(disk, 'sub/inner.txt'), 'inner')
  const answer = await admin.raw(`${folder}/sub`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=utf-8''sub.zip")
  expect(answer.bytes.subarray(0, 2).toString()).toBe('PK')
})

test('a missing file is answered with 404 as text', async () => {
  const answer = await admin.raw(`${folder}/missing.txt`)
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
})

test('RACE-01 a file that shrinks during a download ends the connection early', async () => {
  const size = 64 * 1024 * 1024
  const path = await stored('shrinking.bin', Buffer.alloc(size, 'x'))
  const socket = await openSocket(wire)
  const request = `GET ${wire.base}/api/raw${path} HTTP/1.1\r\nHost: x\r\nX-Auth: ${admin.token}\r\n\r\n`
  socket.write(request)
  await new Promise(resolve => socket.once('data', resolve))
  socket.pause()
  await writeFile(join(disk, 'shrinking.bin'), 'short')
  socket.write(request)
  const received = await new Promise<Buffer>(resolve => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('error', () => {})
    socket.once('close', () => resolve(Buffer.concat(chunks)))
    socket.once('end', () => socket.end())
    socket.resume()
  })
  expect(received.length).toBeLessThan(size)
  expect(received.includes('HTTP/1.1 200')).toBe(false)
  expect((await call(wire, '/health')).status).toBe(200)
})

test('the same file is downloaded by 50 clients at once', async () => {
  const bytes = Buffer.alloc(500_000, 'y')
  const path = await stored('popular.bin', bytes)
  const answers = await Promise.all(Array.from({ length: 50 }, () => admin.raw(path)))
  expect(answers.every(answer => answer.status === 200 && answer.bytes.equals(bytes))).toBe(true)
})

test('an interrupted download leaves no open file', async () => {
  const path = await stored('aborted.bin', Buffer.alloc(32 * 1024 * 1024, 'z'))
  for (let round = 0; round < 20; round += 1) {
    const socket = await openSocket(wire)
    socket.on('error', () => {})
    socket.write(`GET ${wire.base}/api/raw${path} HTTP/1.1\r\nHost: x\r\nX-Auth: ${admin.token}\r\n\r\n`)
    await new Promise(resolve => socket.once('data', resolve))
    socket.resetAndDestroy()
  }
  const answer = await rawRequest(wire, { target: `${wire.base}/api/raw${path}`, headers: { 'X-Auth': admin.token } })
  expect(answer.body.equals(await readFile(join(disk, 'aborted.bin')))).toBe(true)
})
