import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { person } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { head, openSocket } from '../api/raw.ts'
import { offsetOf, tusOf } from '../api/tus.ts'

/** Begins a request whose body never ends. */
async function beginBody(server: OwnServer, method: string, target: string, token: string) {
  const socket = await openSocket(server)
  socket.on('error', () => {})
  socket.write(head(server, { method, target, headers: { 'X-Auth': token, 'Content-Length': '9000000' } }))
  socket.write(Buffer.alloc(1_000_000, 'k'))
}

test('CRASH-12 unfinished files of a killed server are removed at the next start, and those of resumable uploads are kept', async () => {
  // Elsewhere unfinished files have no names.
  const first = await startServer({ args: ['--kernel=off'] })
  const folder = join(first.root, 'd')
  await mkdir(folder)
  await writeFile(join(folder, 'old.txt'), 'old')
  const owner = await person(first)
  const content = randomBytes(2_000_000)
  const before = tusOf(first, owner)
  await before.create('/d/big', content.length)
  await before.patch('/d/big', 0, content.subarray(0, 1_000_000))
  await beginBody(first, 'POST', '/api/resources/d/new.bin', owner.token)
  await beginBody(first, 'PUT', '/api/resources/d/old.txt', owner.token)
  await beginBody(first, 'POST', '/api/resources/d/fresh/deep/new.bin', owner.token)
  await expect.poll(async () => (await readdir(folder)).length).toBe(5)
  expect(await readdir(folder)).not.toContain('fresh')
  await first.end('SIGKILL')
  const second = await serve({ home: first.home, root: first.root })
  await expect.poll(async () => (await readdir(folder)).length).toBe(2)
  expect(await readFile(join(folder, 'old.txt'), 'utf8')).toBe('old')
  const after = tusOf(second, await person(second))
  expect(offsetOf(await after.head('/d/big'))).toBe('1000000')
  expect((await after.patch('/d/big', 1_000_000, content.subarray(1_000_000))).status).toBe(204)
  expect((await readFile(join(folder, 'big'))).equals(content)).toBe(true)
})
