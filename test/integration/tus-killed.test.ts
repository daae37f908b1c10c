import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { person } from '../api/client.ts'
import { startServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { head, openSocket } from '../api/raw.ts'
import { offsetOf, PIECE, tusOf } from '../api/tus.ts'

test('UPL-01 an upload resumes after the server was killed', async () => {
  const content = randomBytes(3_000_000)
  const first = await startServer()
  await mkdir(join(first.root, 'd'))
  const before = tusOf(first, await person(first))
  await before.create('/d/big', content.length)
  await before.patch('/d/big', 0, content.subarray(0, 1_000_000))
  await first.end('SIGKILL')
  const second = await serve({ home: first.home, root: first.root })
  const after = tusOf(second, await person(second))
  const state = await after.head('/d/big')
  expect(offsetOf(state)).toBe('1000000')
  expect((await after.patch('/d/big', 1_000_000, content.subarray(1_000_000))).status).toBe(204)
  expect((await readFile(join(first.root, 'd/big'))).equals(content)).toBe(true)
})

test('UPL-01 the reported offset of an upload cut off by a kill never exceeds the stored data', async () => {
  const first = await startServer()
  await mkdir(join(first.root, 'd'))
  const owner = await person(first)
  await tusOf(first, owner).create('/d/big', 50_000_000)
  const headers = { 'X-Auth': owner.token, 'Content-Type': PIECE, 'Upload-Offset': '0', 'Content-Length': '50000000' }
  const socket = await openSocket(first)
  socket.on('error', () => {})
  socket.write(head(first, { method: 'PATCH', target: '/api/tus/d/big', headers }))
  socket.write(Buffer.alloc(40_000_000, 'k'))
  await new Promise(resolve => setTimeout(resolve, 1000))
  await first.end('SIGKILL')
  socket.destroy()
  const second = await serve({ home: first.home, root: first.root })
  const after = tusOf(second, await person(second))
  const offset = Number(offsetOf(await after.head('/d/big')))
  expect(offset).toBeLessThanOrEqual(40_000_000)
  expect((await after.patch('/d/big', offset, Buffer.alloc(50_000_000 - offset, 'k'))).status).toBe(204)
  expect((await readFile(join(first.root, 'd/big'))).equals(Buffer.alloc(50_000_000, 'k'))).toBe(true)
})
