import { randomBytes } from 'node:crypto'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { person } from '../api/client.ts'
import { openedBelow } from '../api/descriptors.ts'
import { corner, serve } from '../api/instance.ts'

const wire = await serve()
const admin = await person(wire)
const { path: folder, disk } = await corner(wire)
await mkdir(join(disk, 'sub'))

test('ARCH-04 at most two archives in slow formats are made at a time; a third gets `Retry-After`', async () => {
  const { path, disk: place } = await corner(wire)
  await writeFile(join(place, 'noise'), Buffer.alloc(60_000_000, 'noise'))
  const request = `GET /api/raw${path}?algo=tarbz2 HTTP/1.1\r\nHost: x\r\nX-Auth: ${admin.token}\r\n\r\n`
  const sockets = await Promise.all([stalled(request), stalled(request)])
  const third = await admin.raw(path, '?algo=tarxz')
  expect(third.status).toBe(503)
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await admin.raw(folder, '?algo=targz')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await admin.raw(folder, '?algo=tarxz')).status).toBe(200)
})

test.each(['zip', 'tar', 'tarbz2'])(
  'ARCH-03 when a client leaves in the middle of an archive as %s, nothing more is read',
  async algo => {
    const { path, disk: place } = await corner(wire)
    await writeFile(join(place, 'large'), Buffer.alloc(80_000_000, 'large'))
    const request = `GET /api/raw${path}?algo=${algo} HTTP/1.1\r\nHost: x\r\nX-Auth: ${admin.token}\r\n\r\n`
    const socket = await stalled(request)
    await expect.poll(() => openedBelow(place, wire.pid)).not.toEqual([])
    socket.destroy()
    await expect.poll(() => openedBelow(place, wire.pid)).toEqual([])
  },
)

/** A client that reads the head of a response and then stops. */
function stalled(request: string) {
  return new Promise<ReturnType<typeof connect>>((resolve, reject) => {
    const socket = connect({ host: wire.host, port: wire.port }, () => socket.write(request))
    socket.once('error', reject)
    socket.once('data', () => resolve(socket.pause()))
  })
}

test.each(['tar', 'zip', 'tarlz4'])(
  'a file that shrinks while it is sent as %s interrupts the transfer',
  async algo => {
    const { path, disk: place } = await corner(wire)
    const size = 80_000_000
    await writeFile(join(place, 'shrinking'), randomBytes(size))
    const request = `GET /api/raw${path}?algo=${algo} HTTP/1.1\r\nHost: x\r\nX-Auth: ${admin.token}\r\n\r\n`
    const socket = await stalled(request)
    await truncate(join(place, 'shrinking'), 1000)
    const received: Buffer[] = []
    socket.on('data', (chunk: Buffer | string) => received.push(Buffer.from(chunk))).resume()
    await new Promise(resolve => socket.once('close', resolve))
    const bytes = Buffer.concat(received)
    expect(bytes.length).toBeLessThan(size)
    expect(bytes.subarray(-5).toString('latin1')).not.toBe('0\r\n\r\n')
    await expect.poll(() => openedBelow(place, wire.pid)).toEqual([])
  },
)
