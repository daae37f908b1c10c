import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, person } from '../wire/client.ts'
import { serve } from '../wire/instance.ts'
import { head, openSocket } from '../wire/raw.ts'
import { snapshot } from '../wire/snapshot.ts'

/** Descriptors the server may have open: what it needs by itself, and some more. */
const FEW = 80
const CLIENTS = 300

test('DISK-05: a server that runs out of descriptors says so or lets nobody in, loses nothing, and recovers', async () => {
  const server = await serve({ shell: `ulimit -n ${FEW}` })
  const owner = await person(server)
  await writeFile(join(server.root, 'old.bin'), 'old')
  await writeFile(join(server.root, 'read.bin'), randomBytes(200_000))
  const before = await snapshot(server.root)
  const headers = { 'X-Auth': owner.token, 'Content-Length': '1000000' }
  const target = '/api/resources/old.bin?override=true'
  // Uploads that have begun and do not end, so that each keeps a connection and a file.
  const opening = Array.from({ length: CLIENTS }, () => openSocket(server).catch(() => undefined))
  const sockets = (await Promise.all(opening)).filter(socket => socket !== undefined)
  for (const socket of sockets) {
    socket.on('error', () => {}).resume()
    socket.write(head(server, { method: 'POST', target, headers }))
    socket.write(randomBytes(1000))
  }
  const asked = await Promise.all(
    Array.from({ length: 40 }, () => {
      const signal = AbortSignal.timeout(3000)
      return fetch(`${server.url}/api/raw/read.bin`, { headers: { 'X-Auth': owner.token }, signal }).then(
        answer => answer.status,
        () => 0,
      )
    }),
  )
  for (const status of asked) expect([0, 200, 503]).toContain(status)
  for (const socket of sockets) socket.destroy()
  const recovered = () =>
    owner.put('/new.bin', 'new').then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(recovered, { timeout: 10_000 }).toBe(200)
  expect(await readFile(join(server.root, 'old.bin'), 'utf8')).toBe('old')
  expect((await call(server, '/health')).status).toBe(200)
  const tidy = async () => (await readdir(server.root)).sort()
  await expect.poll(tidy, { timeout: 10_000 }).toEqual([...Object.keys(before), 'new.bin'].sort())
})
