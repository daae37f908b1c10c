import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { call, json, person } from './client.ts'
import { entriesIn } from './descriptors.ts'
import { type Corner, corner, openInstance } from './instance.ts'
import { exchange, head, openSocket, parse, readAll } from './raw.ts'
import { snapshot } from './snapshot.ts'

const wire = await openInstance()
const admin = await person(wire)

const upload = (path: string, headers: Record<string, string>, query = '') =>
  head(wire, {
    method: 'POST',
    target: `${wire.base}/api/resources${path}${query}`,
    headers: { 'X-Auth': admin.token, ...headers },
  })
const half = Buffer.alloc(500, 'x')

const sizes = async (disk: string) =>
  Promise.all((await readdir(disk)).map(async name => (await stat(join(disk, name))).size))

const isAlive = async () => (await call(wire, '/health')).status === 200

/** Waits for a clean-up that happens after the connection is gone. */
const settles = (disk: string, expected: Record<string, string>) => expect.poll(() => snapshot(disk)).toEqual(expected)

async function withOldFile(): Promise<Corner & { before: Record<string, string> }> {
  const place = await corner(wire)
  await writeFile(join(place.disk, 'old.txt'), 'old content')
  return { ...place, before: await snapshot(place.disk) }
}

test('UPL-15 a body shorter than announced is refused and leaves nothing', async () => {
  const { path, disk, before } = await withOldFile()
  const sent = Buffer.concat([upload(`${path}/new.txt`, { 'Content-Length': '1000' }), half])
  const answer = await exchange(wire, sent, { finish: true })
  expect([0, 400]).toContain(answer.status)
  await settles(disk, before)
  expect(await isAlive()).toBe(true)
})

test('UPL-15 CRASH-01 a body shorter than announced leaves the existing file', async () => {
  const { path, disk, before } = await withOldFile()
  const sent = Buffer.concat([upload(`${path}/old.txt`, { 'Content-Length': '1000' }, '?override=true'), half])
  const answer = await exchange(wire, sent, { finish: true })
  expect([0, 400]).toContain(answer.status)
  await settles(disk, before)
})

test('the response to a body longer than announced reports what was stored', async () => {
  const { path, disk } = await corner(wire)
  const answer = await exchange(wire, Buffer.concat([upload(`${path}/a.txt`, { 'Content-Length': '5' }), half]))
  expect([200, 400]).toContain(answer.status)
  const stored = answer.status === 200 ? [5] : []
  await wait(200)
  expect(await sizes(disk)).toEqual(stored)
  expect(await isAlive()).toBe(true)
})

test('a chunked body is stored whole', async () => {
  const { path, disk } = await corner(wire)
  const body = Buffer.from('5\r\nhello\r\n7;ext=1\r\n, world\r\n0\r\nTrailer: x\r\n\r\n')
  const sent = Buffer.concat([upload(`${path}/a.txt`, { 'Transfer-Encoding': 'chunked' }), body])
  expect((await exchange(wire, sent)).status).toBe(200)
  expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('hello, world')
})

test('UPL-15 a chunked body without its end leaves nothing', async () => {
  const { path, disk, before } = await withOldFile()
  const chunks = Buffer.from('5\r\nhello\r\n')
  const sent = Buffer.concat([upload(`${path}/new.txt`, { 'Transfer-Encoding': 'chunked' }), chunks])
  const answer = await exchange(wire, sent, { finish: true })
  expect([0, 400]).toContain(answer.status)
  await settles(disk, before)
  expect(await isAlive()).toBe(true)
})

test('a chunk with an invalid size leaves nothing', async () => {
  const { path, disk, before } = await withOldFile()
  const chunks = Buffer.from('5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n')
  const sent = Buffer.concat([upload(`${path}/new.txt`, { 'Transfer-Encoding': 'chunked' }), chunks])
  expect([0, 400]).toContain((await exchange(wire, sent)).status)
  await settles(disk, before)
  expect(await isAlive()).toBe(true)
})

/** Sends the first half of a megabyte, waits until the server has some of it, and closes the connection. */
async function abortHalfWay(path: string, query: string, disk: string) {
  const socket = await openSocket(wire)
  socket.on('error', () => {})
  socket.write(upload(path, { 'Content-Length': String(2 ** 20) }, query))
  socket.write(Buffer.alloc(2 ** 19, 'x'))
  await expect.poll(() => entriesIn(disk, wire)).toBeGreaterThan(1)
  return socket
}

test('an interrupted upload leaves nothing, however the connection ends', async () => {
  const { path, disk, before } = await withOldFile()
  const reset = await abortHalfWay(`${path}/new.txt`, '', disk)
  reset.resetAndDestroy()
  await settles(disk, before)
  const ended = await abortHalfWay(`${path}/old.txt`, '?override=true', disk)
  ended.destroy()
  await settles(disk, before)
  expect(await isAlive()).toBe(true)
})

test('an interrupted upload removes the folders it created', async () => {
  const { path, disk, before } = await withOldFile()
  const socket = await abortHalfWay(`${path}/new/folder/a.txt`, '', disk)
  socket.resetAndDestroy()
  await settles(disk, before)
})

test('UPL-11 during an upload no part of it is visible', async () => {
  const { path, disk } = await withOldFile()
  const socket = await abortHalfWay(`${path}/old.txt`, '?override=true', disk)
  expect(json(await admin.get(path)).items.map((item: { name: string }) => item.name)).toEqual(['old.txt'])
  expect((await admin.raw(`${path}/old.txt`)).text).toBe('old content')
  const received = readAll(socket)
  socket.write(Buffer.alloc(2 ** 19, 'y'))
  expect(parse(await received).status).toBe(200)
  expect((await admin.raw(`${path}/old.txt`)).bytes.length).toBe(2 ** 20)
  expect(await readdir(disk)).toEqual(['old.txt'])
})

test('UPL-18 a file that appears during an upload is not overwritten by it', async () => {
  const { path, disk } = await withOldFile()
  const socket = await abortHalfWay(`${path}/late.txt`, '', disk)
  await writeFile(join(disk, 'late.txt'), 'another client was faster')
  const received = readAll(socket)
  socket.write(Buffer.alloc(2 ** 19, 'y'))
  expect(parse(await received).status).toBe(409)
  expect(await readFile(join(disk, 'late.txt'), 'utf8')).toBe('another client was faster')
  expect((await readdir(disk)).sort()).toEqual(['late.txt', 'old.txt'])
})

test('UPL-20 a refused upload is answered before its body arrives', async () => {
  const { path } = await withOldFile()
  const socket = await openSocket(wire)
  socket.write(upload(`${path}/old.txt`, { 'Content-Length': String(2 ** 40), Expect: '100-continue' }))
  expect(parse(await readAll(socket)).status).toBe(409)
})

test('an upload larger than the disk is refused before its body arrives', async () => {
  const { path, disk, before } = await withOldFile()
  const socket = await openSocket(wire)
  socket.write(upload(`${path}/huge.bin`, { 'Content-Length': String(2 ** 52) }))
  const answer = parse(await readAll(socket))
  expect(answer.status).toBe(507)
  expect(answer.body.toString()).toBe('507 Insufficient Storage\n')
  await settles(disk, before)
})

test('HTTP-12 100 interrupted uploads leave nothing and the server responds', async () => {
  const { path, disk, before } = await withOldFile()
  const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(wire)))
  for (const [index, socket] of sockets.entries()) {
    socket.on('error', () => {})
    socket.write(upload(`${path}/${index}.bin`, { 'Content-Length': '1000000' }))
    socket.write(half)
  }
  await expect.poll(() => entriesIn(disk, wire)).toBeGreaterThan(50)
  for (const socket of sockets) socket.resetAndDestroy()
  await settles(disk, before)
  expect(await isAlive()).toBe(true)
})
