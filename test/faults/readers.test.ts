import { link, mkdir, truncate, writeFile } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, get as request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { person } from '../api/client.ts'
import { openedBelow } from '../api/descriptors.ts'
import { corner, serve } from '../api/instance.ts'
import { unpack } from '../api/unpack.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'

/** Seconds for which clients read slowly; whole: longer than the server's timeout for a client that reads nothing. */
const READING = size('READING', 3)
/** Bytes per second. */
const RATE = 4096
/** Entries in a folder; in the whole run more than the system buffers for a client. */
const THINGS = READING > 60 ? 40_000 : 300
/** Bytes of a large file: far more than that. */
const LARGE = (READING > 60 ? 128 : 4) * 2 ** 20
const LONG = 'n'.repeat(200)

const server = await serve()
const owner = await person(server)
const { path, disk } = await corner(server)
const asked: ClientRequest[] = []
afterAll(() => {
  for (const one of asked) one.destroy()
})

beforeAll(async () => {
  await mkdir(join(disk, 'many'))
  const nameOf = (index: number) => join(disk, 'many', `${index} ${LONG}`)
  await writeFile(nameOf(0), 'x')
  for (let at = 1; at < THINGS; at += 500) {
    const some = Array.from({ length: Math.min(500, THINGS - at) }, (_, index) => nameOf(at + index))
    await Promise.all(some.map(name => link(nameOf(0), name)))
  }
  await writeFile(join(disk, 'large.bin'), 'begins')
  await truncate(join(disk, 'large.bin'), LARGE)
})

const ask = (target: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    asked.push(request(server.url + target, { headers: { 'X-Auth': owner.token }, agent: false }, resolve))
    asked.at(-1)?.once('error', reject)
  })

/** Reads a response slowly for a time, and then the rest of it. @throws if it is cut off */
async function readSlowly(target: string): Promise<Buffer> {
  const answer = await ask(target)
  expect(answer.statusCode).toBe(200)
  const pieces: Buffer[] = []
  const began = performance.now()
  for (let had = 0; performance.now() - began < READING * 1000 && !answer.readableEnded; await delay(100)) {
    const due = Math.floor((RATE * (performance.now() - began)) / 1000) - had
    const piece: Buffer | null = due > 0 ? (answer.read(Math.min(due, answer.readableLength)) ?? null) : null
    had += piece?.length ?? 0
    if (piece) pieces.push(piece)
  }
  for await (const piece of answer) pieces.push(piece)
  expect(answer.complete).toBe(true)
  return Buffer.concat(pieces)
}

test(`HTTP-04 a client that reads ${RATE} bytes per second for ${READING} seconds gets all of it, one that reads nothing is disconnected`, async () => {
  const all = [
    readSlowly(`/api/raw${path}/large.bin`).then(bytes => [bytes.length, bytes.subarray(0, 6).toString()]),
    readSlowly(`/api/resources/recursive${path}/many/`).then(bytes => JSON.parse(bytes.toString()).length),
    readSlowly(`/api/resources${path}/many/`).then(bytes => JSON.parse(bytes.toString()).items.length),
    readSlowly(`/api/search${path}/many/?query=n`).then(bytes => JSON.parse(bytes.toString()).length),
    readSlowly(`/api/raw${path}/many/?algo=zip`).then(bytes => Object.keys(unzipSync(new Uint8Array(bytes))).length),
    readSlowly(`/api/raw${path}/many/?algo=tar`).then(async bytes => Object.keys(await unpack(bytes, '.tar')).length),
  ]
  const stalled = await ask(`/api/raw${path}/large.bin`)
  const cut = new Promise(resolve => stalled.once('error', resolve).once('aborted', resolve))
  expect(await Promise.all(all)).toEqual([[LARGE, 'begins'], THINGS, THINGS, THINGS, THINGS, THINGS])
  if (READING > 60) {
    await expect.poll(() => openedBelow(disk, server.pid), { timeout: 60_000 }).toEqual([])
    stalled.resume()
    await cut
  }
  report(`${all.length} answers read at ${RATE} bytes a second for ${READING} s`)
}, 1_200_000)
