import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { chunksOf } from './write-file.ts'

const server = createServer().listen(0, '127.0.0.1')
afterAll(() => server.close())

/** Size in bytes above which a chunk does not share its memory with others. */
const LARGE = 40_000

/** Receives a body: its bytes, and its large chunks in the state they are left in. */
async function taken(body: Readable): Promise<{ bytes: Buffer; pieces: Buffer[] }> {
  const pieces: Buffer[] = []
  const copies: Buffer[] = []
  for await (const piece of chunksOf(body, {})) {
    if (piece.length > LARGE) pieces.push(piece)
    copies.push(Buffer.from(piece))
  }
  return { bytes: Buffer.concat(copies), pieces }
}

test('the memory of a body received over a connection is released chunk by chunk', async () => {
  const sent = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => at % 251))
  const arrived = new Promise<IncomingMessage>(resolve => server.once('request', resolve))
  const { port } = server.address() as AddressInfo
  const call = request({ port, host: '127.0.0.1', method: 'POST' }).once('error', () => {})
  call.end(sent)
  const { bytes, pieces } = await taken(await arrived)
  call.destroy()
  expect(bytes.equals(sent)).toBe(true)
  expect(pieces.length).toBeGreaterThan(0)
  expect(pieces.filter(({ length }) => length > 0)).toEqual([])
})

test('the memory of any other body is left alone', async () => {
  const own = Buffer.from('x'.repeat(100_000))
  const { pieces } = await taken(Readable.from([own]))
  expect(pieces).toEqual([own])
  expect(own.toString()).toBe('x'.repeat(100_000))
})
