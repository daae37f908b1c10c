import { createHash, randomBytes } from 'node:crypto'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ReadBody } from './read-body.ts'

const SIZE = 2 * 1024 ** 2 + 17
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A server whose `/N` is the Nth content, read as from a disk. @returns its address */
async function serve(contents: readonly Buffer[], end = SIZE - 1): Promise<string> {
  const server = createServer((request, response) => {
    const content = contents[Number(request.url?.slice(1))] ?? Buffer.alloc(0)
    const body = new ReadBody(
      async (into, position) => {
        await pause(Math.random() * 2)
        const count = content.copy(into, 0, position)
        if (count === 0) throw new Error('shorter')
        return count
      },
      { start: 0, end },
    )
    response.once('close', () => body.destroy())
    body.once('error', () => response.destroy())
    response.writeHead(200, { 'Content-Length': end + 1 })
    body.pipe(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const asked = (url: string) =>
  new Promise<IncomingMessage>((resolve, reject) => get(url, { agent: false }, resolve).once('error', reject))

/** @param wait milliseconds between two chunks; @param enough bytes after which the client disconnects */
async function take(url: string, wait = 0, enough = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const taken: Buffer[] = []
  let count = 0
  for await (const chunk of await asked(url)) {
    taken.push(chunk as Buffer)
    count += (chunk as Buffer).length
    if (count >= enough) break
    if (wait > 0) await pause(wait)
  }
  return Buffer.concat(taken)
}

test('many concurrent downloads have their own bytes, while others are slow or leave', async () => {
  const contents = Array.from({ length: 6 }, () => randomBytes(SIZE))
  const url = await serve(contents)
  for (let round = 0; round < 2; round++) {
    const arrived = await Promise.all(
      contents.map((_, index) => take(`${url}/${index}`, index % 3 === 1 ? 3 : 0, index % 3 === 2 ? SIZE / 2 : SIZE)),
    )
    for (const [index, bytes] of arrived.entries()) {
      if (index % 3 !== 2) expect(bytes.length).toBe(SIZE)
      expect(digestOf(bytes)).toBe(digestOf(contents[index]?.subarray(0, bytes.length) ?? bytes))
    }
  }
})

test('a file that became shorter ends the response with an error', async () => {
  const url = await serve([randomBytes(SIZE)], SIZE + 5)
  await expect(take(`${url}/0`)).rejects.toThrow('aborted')
})

test('a consumer that retains the bytes has buffers of its own', async () => {
  const content = randomBytes(SIZE)
  const body = new ReadBody(async (into, position) => content.copy(into, 0, position), { start: 7, end: SIZE - 1 })
  const kept: Buffer[] = []
  await pipeline(body, async source => {
    for await (const bytes of source) kept.push(bytes as Buffer)
  })
  expect(digestOf(Buffer.concat(kept))).toBe(digestOf(content.subarray(7)))
})
