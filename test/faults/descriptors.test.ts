import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { head, openSocket, parse, readAll } from '../api/raw.ts'
import { snapshot } from '../api/snapshot.ts'

/** Maximum descriptors of the server: what it needs itself, and some more. */
const FEW = 80
const CLIENTS = 300

/** Uses up all remaining descriptors with idle connections. */
async function exhaust(server: OwnServer): Promise<Socket[]> {
  const opening = Array.from({ length: CLIENTS }, () => openSocket(server).catch(() => undefined))
  const sockets = (await Promise.all(opening)).filter(socket => socket !== undefined)
  for (const socket of sockets) socket.on('error', () => {}).resume()
  // A connection waits for the server to take it.
  await expect.poll(async () => (await readdir(`/proc/${server.pid}/fd`)).length).toBeGreaterThanOrEqual(FEW - 1)
  return sockets
}

test('DISK-05 a server without free descriptors reports it, loses nothing, and recovers', async () => {
  const server = await serve({ shell: `ulimit -n ${FEW}` })
  const owner = await person(server)
  await writeFile(join(server.root, 'old.bin'), 'old')
  const before = await snapshot(server.root)
  const requests = [
    { method: 'GET', target: '/api/raw/old.bin' },
    { method: 'PUT', target: '/api/resources/old.bin', body: 'new' },
    { method: 'POST', target: '/api/resources/new.bin', body: 'new' },
  ]
  const connected = await Promise.all(requests.map(async request => ({ request, socket: await openSocket(server) })))
  const idle = await exhaust(server)
  const asking = connected.map(({ socket, request: { body = '', ...request } }) => {
    const headers = { 'X-Auth': owner.token, 'Content-Length': String(body.length) }
    socket.write(Buffer.concat([head(server, { ...request, headers }), Buffer.from(body)]))
    return readAll(socket)
  })
  for (const answer of await Promise.all(asking)) {
    expect(parse(answer).status).toBe(503)
    expect(parse(answer).body.toString()).toBe('503 Service Unavailable\n')
  }
  expect(await snapshot(server.root)).toEqual(before)
  for (const socket of idle) socket.destroy()
  const save = () => owner.put('/old.bin', 'new', '?override=true').catch(() => ({ status: 0 }))
  await expect.poll(async () => (await save()).status).toBe(200)
  expect(await readFile(join(server.root, 'old.bin'), 'utf8')).toBe('new')
  expect((await call(server, '/health')).status).toBe(200)
})
