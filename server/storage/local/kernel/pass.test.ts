import { createHash, randomBytes } from 'node:crypto'
import { truncateSync } from 'node:fs'
import { readdir, readlink, writeFile } from 'node:fs/promises'
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ReadBody } from '../../../responses/read-body.ts'
import { p } from '../../conformance/place.ts'
import type { OpenFile } from '../../driver.ts'
import { type DiskPlace, diskPlace } from '../test-place.ts'
import { kernelState } from './open-kernel.ts'

const SIZE = 24 * 1024 ** 2 + 311
const content = randomBytes(SIZE)
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let place: DiskPlace
let passed = 0
const answer = async (path: string, response: ServerResponse): Promise<void> => {
  const [, start = 0, end = SIZE - 1] = path.split('/').map(Number)
  const file = await place.store.read(p('/file.bin'))
  const body = new ReadBody(file.read ?? (async () => 0), { start, end }, counted(file))
  response.once('close', () => body.destroy())
  body.once('error', () => response.destroy())
  body.once('close', () => void file.close())
  response.writeHead(200, { 'Content-Length': end + 1 - start })
  body.pipe(response)
}
const server = createServer((request, response) => void answer(request.url ?? '', response))

function counted({ passTo }: OpenFile): OpenFile['passTo'] {
  return (
    passTo &&
    (socket => {
      const passing = passTo(socket)
      return (
        passing && {
          close: () => passing.close(),
          async pass(position, count) {
            const now = await passing.pass(position, count)
            passed += now
            return now
          },
        }
      )
    })
  )
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
const ask = (path: string, by: Agent | false = false): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(urlOf(path), { agent: by }, resolve).once('error', reject))
const take = async (path: string, by?: Agent) => Buffer.concat(await (await ask(path, by)).toArray())

/** Sockets that this process holds. */
async function sockets(): Promise<number> {
  const names = await readdir('/proc/self/fd')
  const targets = await Promise.all(names.map(name => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return targets.filter(target => target.startsWith('socket:')).length
}

beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  agent.destroy()
  server.close()
})

describe.each(['auto', 'off'] as const)('a download, with --kernel=%s', kernel => {
  beforeAll(async () => {
    place = await diskPlace('handles', undefined, { kernel })
    await writeFile(join(place.folder, 'inside/file.bin'), content)
  })
  afterAll(() => place.close())
  afterEach(() => {
    passed = 0
  })

  test('has all bytes of the file and of each range, also one after the other on one connection', async () => {
    expect(digestOf(await take('/', agent))).toBe(digestOf(content))
    for (const [start, end] of [
      [5, 4_000_000],
      [SIZE - 3_000_000, SIZE - 1],
      [7, 7],
    ] as const)
      expect(digestOf(await take(`/${start}/${end}`, agent))).toBe(digestOf(content.subarray(start, end + 1)))
    if (kernel === 'off') expect(passed).toBe(0)
  })

  test('keeps its own bytes while others are slow or leave', async () => {
    const before = await sockets()
    const slow = async () => {
      const pieces: Buffer[] = []
      for await (const piece of await ask('/')) {
        pieces.push(piece as Buffer)
        if (pieces.length % 20 === 0) await pause(5)
      }
      return digestOf(Buffer.concat(pieces))
    }
    const leaving = async () => {
      const answer = await ask('/')
      answer.once('error', () => {})
      await new Promise(resolve => answer.once('data', resolve))
      answer.destroy()
      return digestOf(content)
    }
    const all = [slow, leaving, async () => digestOf(await take('/'))]
    const seen = await Promise.all([...all, ...all, ...all].map(act => act()))
    expect(new Set(seen)).toEqual(new Set([digestOf(content)]))
    await expect.poll(sockets).toBeLessThanOrEqual(before)
  })

  test('is followed by the next response where requests are sent before it ended', async () => {
    const { hostname, port } = new URL(urlOf('/'))
    const socket = connect(Number(port), hostname)
    socket.write('GET /0/3000000 HTTP/1.1\r\nHost: a\r\n\r\nGET /4/5 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    const bytes = Buffer.concat(await socket.toArray())
    const first = bytes.indexOf('\r\n\r\n') + 4
    expect(digestOf(bytes.subarray(first, first + 3_000_001))).toBe(digestOf(content.subarray(0, 3_000_001)))
    const next = bytes.subarray(first + 3_000_001)
    expect(next.toString('latin1')).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(next.subarray(-2).equals(content.subarray(4, 6))).toBe(true)
  })

  test('ends with an error when the file becomes shorter', async () => {
    const answer = await ask('/')
    await new Promise(resolve => answer.once('readable', resolve))
    truncateSync(join(place.folder, 'inside/file.bin'), 1000)
    await expect(text(answer)).rejects.toThrow('aborted')
  })
})

test.runIf(kernelState().calls)('bytes in memory are passed, where the file system says that they are', async () => {
  place = await diskPlace('handles')
  await writeFile(join(place.folder, 'inside/file.bin'), content)
  const file = await place.store.read(p('/file.bin'))
  const isSaid = kernelState().calls?.isCached(file.descriptor ?? -1, SIZE - 1)
  await file.close()
  const passes = async () => {
    await take('/')
    return passed > 0
  }
  // While the thread starts, a download goes the ordinary way.
  await expect.poll(passes).toBe(isSaid)
  await place.close()
})
