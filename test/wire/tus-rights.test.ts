import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Manager, manager, newcomer, perm } from './accounts.ts'
import { inBucket } from './bucket.ts'
import { encode } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { whole } from './people.ts'
import { head, openSocket, parse, readAll } from './raw.ts'
import { PIECE, tusOf } from './tus.ts'

const wire = await openInstance()
const admin = await manager(wire)

type Change = (admin: Manager, id: number, path: string) => Promise<{ status: number }>

const CHANGES: readonly (readonly [what: string, change: Change])[] = [
  ['may create nothing any more', (by, id) => by.update(id, ['perm'], { perm: perm('download', 'modify') })],
  ['may replace nothing any more', (by, id) => by.update(id, ['perm'], { perm: perm('create', 'download') })],
  ['has another scope', (by, id) => by.update(id, ['scope'], { scope: '/elsewhere' })],
  ['is denied the place', (by, id, path) => by.update(id, ['rules'], { rules: [whole({ path: `${path}/a` })] })],
  ['is gone', (by, id) => by.remove(id)],
]

/** Somebody who has begun to send six bytes in the place of a file that is there. */
async function beginning() {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a'), 'old')
  const { id, token } = await newcomer(wire, admin, { perm: perm('create', 'download', 'modify') })
  const tus = tusOf(wire, { token })
  expect((await tus.create(`${path}/a`, 6, { query: '?override=true' })).status).toBe(201)
  const untouched = async () => {
    expect(await readFile(join(disk, 'a'), 'utf8')).toBe('old')
    if (!inBucket) expect((await readdir(disk)).filter(name => name !== 'a' && !name.startsWith('.'))).toEqual([])
  }
  return { id, path, token, tus, untouched }
}

test.each(CHANGES)('UPL-14 of somebody who %s no further piece is taken', async (_what, change) => {
  const { id, path, tus, untouched } = await beginning()
  expect((await tus.patch(`${path}/a`, 0, 'abc')).status).toBe(204)
  expect((await change(admin, id, path)).status).toBe(200)
  expect([401, 403, 404]).toContain((await tus.patch(`${path}/a`, 3, 'def')).status)
  await untouched()
})

test.each(CHANGES)(
  'UPL-14 of somebody who %s while the last piece comes nothing gets its place',
  async (_what, change) => {
    const { id, path, token, untouched } = await beginning()
    const socket = await openSocket(wire)
    const answered = readAll(socket)
    const headers = { 'X-Auth': token, 'Upload-Offset': '0', 'Content-Type': PIECE, 'Content-Length': '6' }
    socket.write(head(wire, { method: 'PATCH', target: `${wire.base}/api/tus${encode(`${path}/a`)}`, headers }))
    socket.write('abc')
    await new Promise(resolve => setTimeout(resolve, 300))
    expect((await change(admin, id, path)).status).toBe(200)
    socket.write('def')
    expect([401, 403, 404]).toContain(parse(await answered).status)
    await untouched()
  },
)
