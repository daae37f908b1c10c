import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inBucket } from './bucket.ts'
import { call, encode, json, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance, outsideFolder } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'
import { head, openSocket } from './raw.ts'
import { offsetOf, PIECE, tusOf } from './tus.ts'

const CREATOR = uniqueName('creator')
const OTHER = uniqueName('other')
const READER = uniqueName('reader')
const RULED = uniqueName('ruled')
const wire = await openInstance()
await enrol(wire, [
  { name: CREATOR, may: ['create'] },
  { name: OTHER, may: EVERYTHING },
  { name: READER, may: ['download', 'modify', 'delete'] },
  { name: RULED, may: EVERYTHING, rules: [{ path: '/ruled/no' }], hideDotfiles: true },
])
const admin = await person(wire)
const tus = tusOf(wire, admin)
const tusFor = async (name: string) => tusOf(wire, await person(wire, name, PASSWORD))
const creator = await tusFor(CREATOR)
const other = await tusFor(OTHER)
const reader = await tusFor(READER)
const ruled = await tusFor(RULED)

/** Temporary files of unfinished uploads; in a bucket they lie elsewhere. */
const UNFINISHED = inBucket ? 0 : 1

const place = async () => {
  const { path, disk } = await corner(wire)
  return { path, disk, read: (name: string) => readFile(join(disk, name), 'utf8').catch(() => undefined) }
}

describe('a resumable upload', () => {
  test('UPL-11 becomes a file with its last byte, and is invisible before', async () => {
    const { path, disk, read } = await place()
    const file = `${path}/new/földer/ä b.txt`
    const created = await tus.create(file, 11)
    expect([created.status, created.text]).toEqual([201, '201 Created\n'])
    expect(created.headers.get('location')).toBe(`${wire.base}/api/tus${encode(file)}`)
    expect((await tus.patch(file, 0, 'hello ')).status).toBe(204)
    expect((await admin.get(file)).status).toBe(404)
    expect(json(await admin.get(path)).items).toEqual([])
    const state = await tus.head(file)
    expect([state.status, offsetOf(state), state.headers.get('upload-length')]).toEqual([200, '6', '11'])
    expect(state.headers.get('cache-control')).toBe('no-store')
    const last = await tus.patch(file, 6, 'world')
    expect([last.status, offsetOf(last), last.text]).toEqual([204, '11', ''])
    expect(await read('new/földer/ä b.txt')).toBe('hello world')
    expect(await readdir(disk)).toEqual(['new'])
    expect((await tus.head(file)).status).toBe(404)
  })

  test('UPL-10 of no bytes is complete at once and stays', async () => {
    const { path, disk, read } = await place()
    expect((await tus.create(`${path}/empty`, 0)).status).toBe(201)
    expect(await read('empty')).toBe('')
    expect((await tus.head(`${path}/empty`)).status).toBe(404)
    expect(await readdir(disk)).toEqual(['empty'])
  })

  test('may include its first chunk in its creation', async () => {
    const { path, read } = await place()
    const headers = { 'Content-Type': PIECE }
    const created = await tus.create(`${path}/a`, 6, { headers, body: 'abc' })
    expect([created.status, offsetOf(created)]).toEqual([201, '3'])
    await tus.patch(`${path}/a`, 3, 'def')
    expect(await read('a')).toBe('abcdef')
  })

  test('reports the capabilities of the server', async () => {
    const answer = await call(wire, '/api/tus/', { method: 'OPTIONS', token: admin.token })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('tus-version')).toBe('1.0.0')
    expect(answer.headers.get('tus-extension')).toBe('creation,creation-with-upload,expiration,checksum,termination')
    expect(answer.headers.get('tus-checksum-algorithm')).toBe('sha1,sha256,md5')
  })

  test('reports its expiry, and the version tus 1.0', async () => {
    const { path } = await place()
    const created = await tus.create(`${path}/a`, 5)
    expect(created.headers.get('tus-resumable')).toBe('1.0.0')
    expect(Date.parse(created.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 3_600_000)
    expect((await tus.create(`${path}/b`, 5, { headers: { 'Tus-Resumable': '0.2.2' } })).status).toBe(412)
    expect((await tus.create(`${path}/b`, 5, { headers: { 'Tus-Resumable': '1.0.0' } })).status).toBe(201)
  })
})

describe('a creation', () => {
  test.each(['-1', '-0', '+5', '0x10', '1e9', '5,5', '', '9007199254740993', '9223372036854775808', '1.5', 'ten'])(
    'with the length %s is refused and leaves no trace',
    async length => {
      const { path, disk } = await place()
      await writeFile(join(disk, 'old'), 'old')
      for (const query of ['', '?override=true']) {
        const answer = await tus.create(`${path}/${query ? 'old' : 'new'}`, length, { query })
        expect(answer.status).toBe(400)
        expect(answer.text).toContain('invalid upload length')
      }
      expect(await readdir(disk)).toEqual(['old'])
      expect(await readFile(join(disk, 'old'), 'utf8')).toBe('old')
    },
  )

  test('without a length, or with two of them, is refused', async () => {
    const { path } = await place()
    expect((await tus.create(`${path}/a`, undefined)).status).toBe(400)
    const twice = { method: 'POST', target: `${wire.base}/api/tus${path}/a`, headers: { 'X-Auth': admin.token } }
    const text = head(wire, twice).toString().replace('\r\n\r\n', '\r\nUpload-Length: 5\r\nUpload-Length: 5\r\n\r\n')
    const socket = await openSocket(wire)
    socket.write(text)
    const [answer] = (await new Promise<Buffer>(resolve => socket.once('data', resolve))).toString().split('\r\n')
    socket.destroy()
    expect(answer).toBe('HTTP/1.1 400 Bad Request')
  })

  test('over a folder is refused', async () => {
    const { path, disk } = await place()
    await mkdir(join(disk, 'folder'))
    for (const target of ['folder', 'folder/', 'new/']) {
      const answer = await tus.create(`${path}/${target}`, 5, { query: '?override=true' })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('cannot upload to a directory')
    }
  })

  test('over a file needs override and the modify permission', async () => {
    const { path, disk } = await place()
    await writeFile(join(disk, 'a'), 'old')
    expect((await tus.create(`${path}/a`, 5)).status).toBe(409)
    expect((await tus.create(`${path}/a`, 5, { query: '?override=1' })).status).toBe(409)
    expect((await creator.create(`${path}/a`, 5, { query: '?override=true' })).status).toBe(403)
    expect((await tus.create(`${path}/a`, 5, { query: '?override=true' })).status).toBe(201)
    expect(await readFile(join(disk, 'a'), 'utf8')).toBe('old')
  })

  test('needs the create permission, and a path the rules allow', async () => {
    const { path } = await place()
    for (const length of [5, 0, '-1']) expect((await reader.create(`${path}/a`, length)).status).toBe(403)
    expect((await ruled.create('/ruled/no/a', 5)).status).toBe(403)
    expect((await ruled.create('/.hidden', 5)).status).toBe(403)
  })

  test('larger than the free space is refused at once', async () => {
    const { path, disk } = await place()
    expect((await tus.create(`${path}/a`, 9_000_000_000_000_000)).status).toBe(507)
    expect(await readdir(disk)).toEqual([])
  })

  test('again starts from scratch', async () => {
    const { path, disk, read } = await place()
    await tus.create(`${path}/a`, 5)
    await tus.patch(`${path}/a`, 0, 'abc')
    expect((await tus.create(`${path}/a`, 2)).status).toBe(201)
    expect(await readdir(disk)).toHaveLength(UNFINISHED)
    await tus.patch(`${path}/a`, 0, 'xy')
    expect(await read('a')).toBe('xy')
    expect(await readdir(disk)).toEqual(['a'])
  })
})

test('GET returns what HEAD returns', async () => {
  const { path } = await place()
  await tus.create(`${path}/a`, 5)
  const ask = (name: string, token: string) => call(wire, `/api/tus${path}/${name}`, { token })
  const state = await ask('a', admin.token)
  expect([state.status, offsetOf(state), state.headers.get('upload-length')]).toEqual([200, '0', '5'])
  expect((await ask('none', admin.token)).status).toBe(404)
  expect((await ask('a', (await person(wire, READER, PASSWORD)).token)).status).toBe(403)
})

test('a denied path cannot be terminated either', async () => {
  expect((await ruled.cancel('/ruled/no/a')).status).toBe(403)
})

describe('a chunk', () => {
  test('UPL-03 UPL-05 at another offset is refused, and the connection stays usable', async () => {
    const { path } = await place()
    await tus.create(`${path}/a`, 10)
    await tus.patch(`${path}/a`, 0, 'abc')
    for (const offset of [0, 2, 4, 10]) expect((await tus.patch(`${path}/a`, offset, 'x')).status).toBe(409)
    expect(offsetOf(await tus.head(`${path}/a`))).toBe('3')
  })

  test.each(['-1', 'x', '', '1.5', '11'])('UPL-03 at the offset %s is refused', async offset => {
    const { path } = await place()
    await tus.create(`${path}/a`, 10)
    expect((await tus.patch(`${path}/a`, offset, 'x')).status).toBe(400)
  })

  test('UPL-04 beyond the length is refused, and none of it is stored', async () => {
    const { path, disk } = await place()
    await tus.create(`${path}/a`, 10)
    await tus.patch(`${path}/a`, 0, 'abc')
    expect((await tus.patch(`${path}/a`, 3, Buffer.alloc(5_000_000))).status).toBe(413)
    expect(offsetOf(await tus.head(`${path}/a`))).toBe('3')
    const chunked = { method: 'PATCH', target: `${wire.base}/api/tus${path}/a`, body: '8\r\n12345678\r\n0\r\n\r\n' }
    const headers = { 'X-Auth': admin.token, 'Content-Type': PIECE, 'Upload-Offset': '3' }
    const socket = await openSocket(wire)
    socket.write(Buffer.concat([head(wire, { ...chunked, headers: { ...headers, 'Transfer-Encoding': 'chunked' } })]))
    socket.write(chunked.body)
    const answer = (await new Promise<Buffer>(resolve => socket.once('data', resolve))).toString()
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(offsetOf(await tus.head(`${path}/a`))).toBe('3')
    expect(await readdir(disk)).toHaveLength(UNFINISHED)
  })

  test('of another type is refused', async () => {
    const { path } = await place()
    await tus.create(`${path}/a`, 3)
    for (const type of ['text/plain', 'application/octet-stream', `${PIECE}; charset=x`]) {
      const answer = await tus.patch(`${path}/a`, 0, 'abc', { headers: { 'Content-Type': type } })
      expect([answer.status, answer.text]).toEqual([415, '415 Unsupported Media Type\n'])
    }
  })

  test('of an upload that does not exist is not found, also of an existing file', async () => {
    const { path, disk } = await place()
    await writeFile(join(disk, 'a'), 'old')
    expect((await tus.patch(`${path}/a`, 0, 'x')).status).toBe(404)
    expect((await tus.head(`${path}/a`)).status).toBe(404)
    expect((await tus.cancel(`${path}/a`)).status).toBe(404)
    expect(await readFile(join(disk, 'a'), 'utf8')).toBe('old')
  })

  test('UPL-06 with the right checksum is stored, with a wrong one discarded', async () => {
    const { path, read } = await place()
    await tus.create(`${path}/a`, 6)
    const sum = (algorithm: string, text: string) => ({
      headers: { 'Upload-Checksum': `${algorithm} ${createHash(algorithm).update(text).digest('base64')}` },
    })
    expect((await tus.patch(`${path}/a`, 0, 'abd', sum('sha256', 'abc'))).status).toBe(460)
    expect(offsetOf(await tus.head(`${path}/a`))).toBe('0')
    expect((await tus.patch(`${path}/a`, 0, 'ab', sum('sha256', 'ab'))).status).toBe(204)
    expect((await tus.patch(`${path}/a`, 2, 'cd', sum('sha1', 'cd'))).status).toBe(204)
    expect((await tus.patch(`${path}/a`, 4, 'xx', sum('md5', 'ef'))).status).toBe(460)
    expect(await read('a')).toBeUndefined()
    expect((await tus.patch(`${path}/a`, 4, 'ef', sum('md5', 'ef'))).status).toBe(204)
    expect(await read('a')).toBe('abcdef')
  })

  test.each(['crc32 AAAA', 'sha1', 'sha1 !!!', 'SHA1 AAAA'])('with the checksum %s is refused', async checksum => {
    const { path } = await place()
    await tus.create(`${path}/a`, 3)
    expect((await tus.patch(`${path}/a`, 0, 'abc', { headers: { 'Upload-Checksum': checksum } })).status).toBe(400)
  })
})

test('UPL-02 of two chunks at the same offset one is stored', async () => {
  const { path, disk } = await place()
  for (let round = 0; round < 20; round++) {
    const name = `f${round}`
    // One byte more than the chunks contain, or the slower one would no longer find an upload.
    await tus.create(`${path}/${name}`, 200_001)
    const bodies = [Buffer.alloc(200_000, 'a'), Buffer.alloc(200_000, 'b')]
    const answers = await Promise.all(bodies.map(body => tus.patch(`${path}/${name}`, 0, body)))
    expect(answers.map(answer => answer.status).sort()).toEqual([204, 409])
    expect((await tus.patch(`${path}/${name}`, 200_000, Buffer.from('c'))).status).toBe(204)
    const content = await readFile(join(disk, name))
    expect(bodies.some(body => Buffer.concat([body, Buffer.from('c')]).equals(content))).toBe(true)
  }
})

test('UPL-07 an interrupted chunk is stored up to the last byte received, and a returning client need not wait for the dead connection', async () => {
  const { path, read } = await place()
  await tus.create(`${path}/a`, 10)
  const request = { method: 'PATCH', target: `${wire.base}/api/tus${path}/a` }
  const headers = { 'X-Auth': admin.token, 'Content-Type': PIECE, 'Upload-Offset': '0', 'Content-Length': '10' }
  const dead = await openSocket(wire)
  dead.on('error', () => {})
  // In one piece: a request that interrupts the chunk finds all of it, or none.
  dead.write(`${head(wire, { ...request, headers })}12345`)
  await expect.poll(async () => offsetOf(await tus.head(`${path}/a`))).toBe('5')
  expect((await tus.patch(`${path}/a`, 5, '67890')).status).toBe(204)
  expect(await read('a')).toBe('1234567890')
  dead.destroy()
})

/** Begins a chunk whose body is sent by the caller. */
async function openPiece(target: string, length: number, headers: Record<string, string> = {}) {
  const socket = await openSocket(wire)
  socket.on('error', () => {})
  const requestHeaders = {
    'X-Auth': admin.token,
    'Content-Type': PIECE,
    'Upload-Offset': '0',
    'Content-Length': String(length),
  }
  socket.write(
    head(wire, {
      method: 'PATCH',
      target: `${wire.base}/api/tus${target}`,
      headers: { ...requestHeaders, ...headers },
    }),
  )
  return socket
}

const sumOfBlocks = (blocks: readonly string[], size: number) => ({
  'Upload-Checksum': `sha256 ${Buffer.concat(blocks.map(block => createHash('sha256').update(block).digest())).toString('base64')}`,
  'Upload-Checksum-Blocks': String(size),
})

test('UPL-06 UPL-07 an interrupted chunk with a checksum for each block is stored up to the last complete block', async () => {
  const { path, read } = await place()
  await tus.create(`${path}/a`, 12)
  const socket = await openPiece(`${path}/a`, 12, sumOfBlocks(['abcd', 'efgh', 'ijkl'], 4))
  socket.end('abcdefghij')
  await once(socket.resume(), 'close')
  expect(offsetOf(await tus.head(`${path}/a`))).toBe('8')
  const flipped = { headers: sumOfBlocks(['ij', 'kl'], 2) }
  expect((await tus.patch(`${path}/a`, 8, 'ijkk', flipped)).status).toBe(460)
  expect(offsetOf(await tus.head(`${path}/a`))).toBe('10')
  expect((await tus.patch(`${path}/a`, 10, 'kl', { headers: sumOfBlocks(['kl'], 2) })).status).toBe(204)
  expect(await read('a')).toBe('abcdefghijkl')
})

test('the block size of a checksum must be a number of bytes', async () => {
  const { path } = await place()
  await tus.create(`${path}/a`, 3)
  for (const size of ['0', '-1', 'x', '']) {
    const headers = { ...sumOfBlocks(['abc'], 3), 'Upload-Checksum-Blocks': size }
    expect((await tus.patch(`${path}/a`, 0, 'abc', { headers })).status).toBe(400)
  }
})

test('UPL-03 the offset that a client received is final, even if earlier data still arrives', async () => {
  const { path } = await place()
  await tus.create(`${path}/a`, 1000)
  const socket = await openPiece(`${path}/a`, 1000)
  let left = 25
  const drain = setInterval(() => {
    left -= 1
    if (left > 0) return socket.write('x')
    clearInterval(drain)
    return socket.destroy()
  }, 100)
  // Once a later request of the same kind is answered, the earlier one has begun.
  await tus.create(`${path}/b`, 1)
  await tus.head(`${path}/b`)
  const offset = offsetOf(await tus.head(`${path}/a`))
  await expect.poll(() => left).toBe(0)
  expect(offsetOf(await tus.head(`${path}/a`))).toBe(offset)
})

test('UPL-21 an upload belongs to the user who created it', async () => {
  const { path, disk } = await place()
  await creator.create(`${path}/a`, 5)
  for (const client of [other, tus]) {
    expect((await client.head(`${path}/a`)).status).toBe(404)
    expect((await client.patch(`${path}/a`, 0, 'hello')).status).toBe(404)
    expect((await client.cancel(`${path}/a`)).status).toBe(404)
  }
  expect((await reader.head(`${path}/a`)).status).toBe(403)
  expect((await creator.patch(`${path}/a`, 0, 'hello')).status).toBe(204)
  expect(await readdir(disk)).toEqual(['a'])
})

test('UPL-08 a terminated upload leaves nothing, and the existing file stays', async () => {
  const { path, disk } = await place()
  await writeFile(join(disk, 'a'), 'old')
  await tus.create(`${path}/a`, 5, { query: '?override=true' })
  await tus.patch(`${path}/a`, 0, 'abc')
  expect((await tus.cancel(`${path}/a`)).status).toBe(204)
  expect((await tus.head(`${path}/a`)).status).toBe(404)
  expect(await readdir(disk)).toEqual(['a'])
  expect(await readFile(join(disk, 'a'), 'utf8')).toBe('old')
  await creator.create(`${path}/b`, 5)
  expect((await creator.cancel(`${path}/b`)).status).toBe(204)
  expect(await readdir(disk)).toEqual(['a'])
})

test('UPL-18 a name that was taken in the meantime is not overwritten, and the received data is kept', async () => {
  const { path, disk } = await place()
  await tus.create(`${path}/a`, 5)
  await admin.put(`${path}/a`, 'first')
  expect((await tus.patch(`${path}/a`, 0, 'later')).status).toBe(409)
  expect(await readFile(join(disk, 'a'), 'utf8')).toBe('first')
  expect((await tus.head(`${path}/a`)).status).toBe(409)
  await rename(join(disk, 'a'), join(disk, 'b'))
  expect(offsetOf(await tus.head(`${path}/a`))).toBe('5')
  expect(await readFile(join(disk, 'a'), 'utf8')).toBe('later')
})

test('an override replaces only the version it names', async () => {
  const { path, disk } = await place()
  const version = (await admin.put(`${path}/a`, 'one')).headers.get('etag') ?? ''
  const how = { query: '?override=true', headers: { 'If-Match': version } }
  expect((await tus.create(`${path}/a`, 3, { ...how, headers: { 'If-Match': '"other"' } })).status).toBe(412)
  expect((await tus.create(`${path}/a`, 3, how)).status).toBe(201)
  await admin.put(`${path}/a`, 'two', '?override=true')
  expect((await tus.patch(`${path}/a`, 0, 'new')).status).toBe(412)
  expect(await readFile(join(disk, 'a'), 'utf8')).toBe('two')
})

test('the unfinished file has no URL', async () => {
  const { path, disk } = await place()
  await tus.create(`${path}/a`, 5)
  await tus.patch(`${path}/a`, 0, 'abc')
  const [hidden = ''] = await readdir(disk)
  for (const target of [`/api/resources${path}/${hidden}`, `/api/raw${path}/${hidden}`]) {
    expect((await call(wire, target, { token: admin.token })).status).toBe(404)
  }
  expect((await admin.put(`${path}/${hidden}`, 'x', '?override=true')).status).toBe(400)
  expect((await admin.remove(`${path}/${hidden}`)).status).toBe(404)
  expect((await admin.raw(path, '?algo=tar')).bytes.includes('abc')).toBe(false)
})

test('LINK-04 a folder that became a link in the meantime gives no access to its target', async () => {
  const { path, disk } = await place()
  const outside = await outsideFolder()
  await mkdir(join(disk, 'up'))
  await tus.create(`${path}/up/x`, 3)
  await rename(join(disk, 'up'), join(disk, 'away'))
  await symlink(outside, join(disk, 'up'))
  expect((await tus.patch(`${path}/up/x`, 0, 'abc')).status).toBeGreaterThanOrEqual(400)
  await tus.cancel(`${path}/up/x`)
  expect(await readdir(outside)).toEqual([])
  await rm(join(disk, 'up'))
})

test('a refused chunk does not close the connection', async () => {
  const { path } = await place()
  await tus.create(`${path}/a`, 3)
  const piece = { method: 'PATCH', target: `${wire.base}/api/tus${path}/a`, body: 'abcd' }
  const headers = { 'X-Auth': admin.token, 'Content-Type': PIECE, 'Upload-Offset': '0', Connection: 'keep-alive' }
  const socket = await openSocket(wire)
  const answers: string[] = []
  socket.on('data', chunk => answers.push(...(chunk.toString().match(/HTTP\/1\.1 \d+/g) ?? [])))
  const send = (body: string) => {
    socket.write(head(wire, { ...piece, headers: { ...headers, 'Content-Length': String(body.length) } }))
    socket.write(body)
  }
  send('abcd')
  await expect.poll(() => answers.length).toBe(1)
  send('abc')
  await expect.poll(() => answers.length).toBe(2)
  socket.destroy()
  expect(answers).toEqual(['HTTP/1.1 413', 'HTTP/1.1 204'])
})

describe('an upload with a checksum announced in advance', () => {
  const announced = (content: string) => {
    const digest = createHash('sha256').update(content).digest('base64')
    return { 'Upload-Metadata': `filename YQ==, checksum ${Buffer.from(`sha256 ${digest}`).toString('base64')}` }
  }

  test('is stored when the whole file matches', async () => {
    const { path, disk } = await corner(wire)
    await tus.create(`${path}/a`, 6, { headers: announced('abcdef') })
    await tus.patch(`${path}/a`, 0, 'abc')
    expect((await tus.patch(`${path}/a`, 3, 'def')).status).toBe(204)
    expect(await readFile(join(disk, 'a'), 'utf8')).toBe('abcdef')
    const empty = await tus.create(`${path}/empty`, 0, { headers: announced('') })
    expect(empty.status).toBe(201)
  })

  test('replaces nothing and is discarded when it differs', async () => {
    const { path, disk } = await corner(wire)
    await writeFile(join(disk, 'a'), 'old')
    await tus.create(`${path}/a`, 6, { headers: announced('abcdef'), query: '?override=true' })
    await tus.patch(`${path}/a`, 0, 'abc')
    expect((await tus.patch(`${path}/a`, 3, 'dEf')).status).toBe(460)
    expect((await tus.head(`${path}/a`)).status).toBe(404)
    expect(await readdir(disk)).toEqual(['a'])
    expect(await readFile(join(disk, 'a'), 'utf8')).toBe('old')
    expect((await tus.create(`${path}/empty`, 0, { headers: announced('x') })).status).toBe(460)
  })

  test.each(['checksum', 'checksum !', `checksum ${btoa('crc32 AAAA')}`])(
    'with the header %s is refused',
    async words => {
      const { path } = await corner(wire)
      expect((await tus.create(`${path}/a`, 6, { headers: { 'Upload-Metadata': words } })).status).toBe(400)
    },
  )
})
