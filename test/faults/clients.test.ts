import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { call, json, person } from '../api/client.ts'
import { entriesIn, openedBelow } from '../api/descriptors.ts'
import { corner, serve } from '../api/instance.ts'
import { head, openSocket, parse } from '../api/raw.ts'
import { offsetOf, PIECE, tusOf } from '../api/tus.ts'
import { Dice } from '../fuzz/dice.ts'
import { SEED, size } from './sizes.ts'

/** Seconds that the slow client takes; whole: longer than the runtime's default timeout. */
const SLOW = size('SLOW', 3)
/** Whether the test waits the two minutes after which a stalled client is disconnected. */
const STALL = size('STALL', 0) === 1
/** Interrupted saves; whole: 100. */
const ABORTS = size('ABORTS', 20)
const MB = 1_000_000
/** Milliseconds in which another client may continue, also on a slow machine; a connection may be silent for longer. */
const SOON = 20_000

const server = await serve()
const owner = await person(server)
const tus = tusOf(server, owner)

/** Begins a request with a body and sends a part of it. */
async function beginning(method: string, target: string, headers: object, part: Buffer): Promise<Socket> {
  const socket = await openSocket(server)
  socket.on('error', () => {})
  socket.write(head(server, { method, target, headers: { 'X-Auth': owner.token, ...headers } }))
  socket.write(part)
  return socket
}

test.each([
  ['ends the connection', (socket: Socket) => socket.destroy()],
  ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
  ['is silent from now on', () => {}],
])('UPL-07 another client resumes soon when one %s in the middle of a chunk', async (_how, vanish) => {
  const { path, disk } = await corner(server)
  const content = randomBytes(4 * MB)
  await tus.create(`${path}/a`, content.length)
  const headers = { 'Content-Type': PIECE, 'Upload-Offset': '0', 'Content-Length': String(content.length) }
  const socket = await beginning('PATCH', `/api/tus${path}/a`, headers, content.subarray(0, 2 * MB))
  await expect.poll(async () => (await readdir(disk)).length).toBe(1)
  vanish(socket)
  const began = Date.now()
  const next = async () => {
    const offset = Number(offsetOf(await tus.head(`${path}/a`)))
    return (await tus.patch(`${path}/a`, offset, content.subarray(offset))).status
  }
  await expect.poll(next).toBe(204)
  expect(Date.now() - began).toBeLessThan(SOON)
  expect((await readFile(join(disk, 'a'))).equals(content)).toBe(true)
  socket.destroy()
})

test(`UPL-19 a slow upload of ${SLOW} seconds is completed, and blocks no other client`, async () => {
  const { path, disk } = await corner(server)
  const pieces = Math.max(20, SLOW)
  const content = randomBytes(pieces)
  const headers = { 'Content-Length': String(pieces) }
  const socket = await beginning('POST', `/api/resources${path}/slow`, headers, content.subarray(0, 1))
  const answered = text(socket)
  for (let sent = 1; sent < pieces; sent++) {
    await new Promise(resolve => setTimeout(resolve, (SLOW * 1000) / pieces))
    socket.write(content.subarray(sent, sent + 1))
    if (sent % 10 === 0) expect((await owner.get(path)).status).toBe(200)
  }
  await expect.poll(() => readFile(join(disk, 'slow')).catch(() => undefined)).toEqual(content)
  expect(await answered).toContain('HTTP/1.1 200 ')
}, 600_000)

/** Reads a large file so slowly that most of it is still unread. */
async function slowDownload(path: string) {
  const socket = await openSocket(server)
  const pieces: Buffer[] = []
  socket.on('error', () => {})
  socket.write(head(server, { target: `/api/raw${path}`, headers: { 'X-Auth': owner.token } }))
  await new Promise(resolve => socket.once('data', (piece: Buffer) => resolve(pieces.push(piece))))
  socket.pause()
  return {
    async rest(): Promise<Buffer> {
      socket.on('data', (piece: Buffer) => pieces.push(piece))
      const closed = new Promise(resolve => socket.once('close', resolve))
      socket.once('end', () => socket.end())
      socket.resume()
      await closed
      return parse(Buffer.concat(pieces)).body
    },
  }
}

test.each([
  ['deleted', (path: string) => owner.remove(path)],
  ['saved', (path: string) => owner.put(path, Buffer.alloc(1000, 'n'), '?override=true')],
])(
  'RACE-03 RACE-04 a client that downloads a file that is %s in the meantime gets all of the old one',
  async (_what, change) => {
    const { path, disk } = await corner(server)
    const old = randomBytes(40 * MB)
    await writeFile(join(disk, 'old'), old)
    const download = await slowDownload(`${path}/old`)
    expect((await change(`${path}/old`)).status).toBeLessThan(300)
    expect((await download.rest()).equals(old)).toBe(true)
  },
)

test('two clients that save the same file at once leave one of the contents complete', async () => {
  const { path, disk } = await corner(server)
  await writeFile(join(disk, 'a'), 'old')
  const versions = [Buffer.alloc(2 * MB, 'a'), Buffer.alloc(3 * MB, 'b')]
  for (let round = 0; round < 10; round++) {
    const headers = { 'X-Auth': owner.token }
    const saves = versions.map(body => call(server, `/api/resources${path}/a`, { method: 'PUT', headers, body }))
    for (const { status } of await Promise.all(saves)) expect(status).toBe(200)
    const now = await readFile(join(disk, 'a'))
    expect(versions.some(version => version.equals(now))).toBe(true)
  }
  expect(await readdir(disk)).toEqual(['a'])
})

test('of two clients that save the version they know one is informed that it is outdated', async () => {
  const { path } = await corner(server)
  await owner.put(`${path}/a`, 'old')
  const version = (await owner.raw(`${path}/a`)).headers.get('etag') ?? ''
  const headers = { 'X-Auth': owner.token, 'If-Match': version }
  const saves = ['one', 'two'].map(body => call(server, `/api/resources${path}/a`, { method: 'PUT', headers, body }))
  expect((await Promise.all(saves)).map(({ status }) => status).sort()).toEqual([200, 412])
})

test('MOVE-07 of 50 copies to one free name one succeeds, and the others are informed that it is taken', async () => {
  const { path, disk } = await corner(server)
  await writeFile(join(disk, 'from'), 'x')
  const address = `/api/resources${path}/from?action=copy&destination=${path}/to`
  const copies = Array.from({ length: 50 }, () => call(server, address, { method: 'PATCH', token: owner.token }))
  const statuses = (await Promise.all(copies)).map(({ status }) => status).sort()
  expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)])
  expect((await readdir(disk)).sort()).toEqual(['from', 'to'])
})

test('MOVE-08 100 copies to one name, with renaming, get 100 names, and nothing is replaced', async () => {
  const { path, disk } = await corner(server)
  await writeFile(join(disk, 'from.txt'), 'x')
  await writeFile(join(disk, 'to(2).txt'), 'old')
  const address = `/api/resources${path}/from.txt?action=copy&destination=${path}/to.txt&rename=true`
  const copies = Array.from({ length: 100 }, () => call(server, address, { method: 'PATCH', token: owner.token }))
  expect(new Set((await Promise.all(copies)).map(({ status }) => status))).toEqual(new Set([200]))
  const numbered = Array.from({ length: 100 }, (_, index) => `to(${index + 1}).txt`)
  expect((await readdir(disk)).sort()).toEqual(['from.txt', 'to.txt', ...numbered].sort())
  expect(await readFile(join(disk, 'to(2).txt'), 'utf8')).toBe('old')
})

test.each(['copy', 'rename'])(
  'MOVE-05 a %s onto another name of the same file is refused, and its content stays',
  async action => {
    const { path, disk } = await corner(server)
    await writeFile(join(disk, 'a'), 'content')
    await link(join(disk, 'a'), join(disk, 'hard'))
    await symlink('a', join(disk, 'soft'))
    for (const name of ['hard', 'soft']) {
      const address = `/api/resources${path}/a?action=${action}&destination=${path}/${name}&override=true`
      expect((await call(server, address, { method: 'PATCH', token: owner.token })).status).toBe(409)
      expect(await readFile(join(disk, 'a'), 'utf8')).toBe('content')
    }
  },
)

test(`CRASH-01 ${ABORTS} saves interrupted at random leave the old content and nothing else`, async () => {
  const { path, disk } = await corner(server)
  const old = randomBytes(2 * MB)
  await writeFile(join(disk, 'a'), old)
  const dice = new Dice(SEED)
  for (let round = 0; round < ABORTS; round++) {
    const part = Buffer.alloc(dice.below(2 * MB), 'n')
    const headers = { 'Content-Length': String(2 * MB) }
    const socket = await beginning('PUT', `/api/resources${path}/a`, headers, part)
    await new Promise(resolve => setTimeout(resolve, dice.below(20)))
    if (dice.chance(0.5)) socket.destroy()
    else socket.resetAndDestroy()
  }
  await expect.poll(() => readdir(disk)).toEqual(['a'])
  expect((await readFile(join(disk, 'a'))).equals(old)).toBe(true)
})

test('UPL-17 an upload into a folder that vanishes in the meantime is refused, and appears nowhere else', async () => {
  const { path, disk } = await corner(server)
  await owner.put(`${path}/d/x`, 'x')
  await tus.create(`${path}/d/a`, 6)
  await tus.patch(`${path}/d/a`, 0, 'abc')
  await rm(join(disk, 'd'), { recursive: true })
  const answer = await tus.patch(`${path}/d/a`, 3, 'def')
  expect(answer.status).toBe(404)
  expect(await readdir(disk)).toEqual([])
  expect(json(await owner.get(path)).items).toEqual([])
})

test.runIf(STALL)(
  'a client that stalls in an upload is disconnected after two minutes, and nothing of it is left',
  async () => {
    const { path, disk } = await corner(server)
    const headers = { 'Content-Length': '1000000' }
    const upload = await beginning('POST', `/api/resources${path}/stalled`, headers, Buffer.alloc(1000))
    const ended = new Promise(resolve => upload.once('end', resolve).once('close', resolve))
    upload.resume()
    await expect.poll(() => entriesIn(disk, server)).toBe(1)
    await ended
    await expect.poll(() => readdir(disk), { timeout: 30_000 }).toEqual([])
  },
  400_000,
)

test('a listing that is no longer read closes its folder, whenever the client leaves', async () => {
  const { path, disk } = await corner(server)
  await Promise.all(Array.from({ length: 1500 }, (_, index) => writeFile(join(disk, `${index}`), '')))
  for (let wait = 0; wait < 20; wait += 1) {
    const signal = AbortSignal.timeout(2 + wait * 2)
    const headers = { 'X-Auth': owner.token }
    await fetch(`${server.url}/api/resources${path}/`, { headers, signal })
      .then(text => text.text())
      .catch(() => {})
  }
  await expect.poll(() => openedBelow(disk, server.pid)).toEqual([])
})
