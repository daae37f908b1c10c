import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { call, json, person } from '../api/client.ts'
import { mountSmallDisk, unmount } from '../api/disks.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { exchange, head } from '../api/raw.ts'
import { snapshot } from '../api/snapshot.ts'
import { offsetOf, tusOf } from '../api/tus.ts'

const MiB = 2 ** 20
const DISK = 4 * MiB
const BLOCKS_OF_512 = DISK / 512

const home = await makeHome()
const root = join(home, 'small')
const mounted = mountSmallDisk(root, DISK)
// Where nothing can be mounted, the system's file size limit simulates a full disk.
const args = ['--keepLeast=1s']
const server = await serve({ home, root, args, ...(mounted ? {} : { shell: `ulimit -f ${BLOCKS_OF_512}` }) })
afterAll(async () => {
  await server.end()
  if (mounted) unmount(root)
})
const admin = await person(server)

/** An upload without a `Content-Length`. */
async function uploadChunked(path: string, size: number, query = '') {
  const headers = { 'X-Auth': admin.token, 'Transfer-Encoding': 'chunked' }
  const chunk = Buffer.concat([Buffer.from('40000\r\n'), Buffer.alloc(0x40000, 'x'), Buffer.from('\r\n')])
  const chunks = Array.from({ length: Math.ceil(size / 0x40000) }, () => chunk)
  const request = head(server, { method: 'POST', target: `/api/resources${path}${query}`, headers })
  return exchange(server, Buffer.concat([request, ...chunks, Buffer.from('0\r\n\r\n')]))
}

test.runIf(mounted)('HIST-06 what was kept longest gives way to an upload that would not fit', async () => {
  const large = Buffer.alloc(2.5 * MiB, 'x')
  expect((await admin.put('/large.bin', large)).status).toBe(200)
  expect((await admin.remove('/large.bin')).status).toBe(204)
  await new Promise(resolve => setTimeout(resolve, 1100))
  expect((await admin.put('/much-larger.bin', Buffer.alloc(2 * DISK))).status).toBe(507)
  expect(json(await call(server, '/api/trash', { token: admin.token })).count).toBe(1)
  expect((await admin.put('/other.bin', large)).status).toBe(200)
  expect(json(await call(server, '/api/trash', { token: admin.token })).count).toBe(0)
  await rm(join(root, 'other.bin'))
})

test('DISK-01 a disk that fills up during an upload is reported as 507, and nothing of the upload stays', async () => {
  await writeFile(join(root, 'neighbour.txt'), 'stays')
  const before = await snapshot(root)
  const answer = await uploadChunked('/new.bin', 2 * DISK)
  expect(answer.status).toBe(507)
  expect(answer.body.toString()).toBe('507 Insufficient Storage\n')
  await expect.poll(() => snapshot(root)).toEqual(before)
})

test('DISK-02 a replacement that does not fit leaves the old content', async () => {
  await writeFile(join(root, 'old.txt'), 'old content')
  const before = await snapshot(root)
  const answer = await uploadChunked('/old.txt', 2 * DISK, '?override=true')
  expect(answer.status).toBe(507)
  expect(await readFile(join(root, 'old.txt'), 'utf8')).toBe('old content')
  await expect.poll(() => snapshot(root)).toEqual(before)
})

test('after a refusal for lack of space smaller files are still accepted', async () => {
  await uploadChunked('/too-big.bin', 2 * DISK)
  expect((await admin.put('/small.txt', 'small')).status).toBe(200)
  expect(await readFile(join(root, 'small.txt'), 'utf8')).toBe('small')
  expect((await call(server, '/health')).status).toBe(200)
})

test('files can still be deleted for good when the disk is full', async () => {
  await writeFile(join(root, 'filler.bin'), Buffer.alloc(3 * MiB))
  await uploadChunked('/too-big.bin', 2 * DISK)
  expect((await admin.remove('/filler.bin', '?permanent=true')).status).toBe(204)
})

test.runIf(mounted)(
  'HIST-06 on a full disk nothing is deleted for good unless asked, and what is purged frees its room',
  async () => {
    const names = ['early.bin', 'filler.bin']
    for (const name of names) await writeFile(join(root, name), Buffer.alloc(MiB, name))
    const early = (await admin.remove('/early.bin')).headers.get('X-Kept')
    const fill = () => writeFile(join(root, 'rest.bin'), Buffer.alloc(4096), { flag: 'a' })
    const isFull = () =>
      fill().then(
        () => false,
        () => true,
      )
    while (!(await isFull()));
    const removed = await admin.remove('/filler.bin')
    // The note about it may not fit.
    expect([204, 409, 507]).toContain(removed.status)
    const late = removed.headers.get('X-Kept')
    const { size } = await stat(join(root, 'filler.bin')).catch(() => ({ size: 0 }))
    expect(size).toBe(removed.status === 204 ? 0 : MiB)
    if (removed.status !== 204) expect((await admin.remove('/filler.bin', '?permanent=true')).status).toBe(204)
    const headers = { 'Content-Type': 'application/json' }
    const ids = [early, late].filter(id => id !== null)
    const body = JSON.stringify({ ids })
    const purged = await call(server, '/api/trash/purge', { method: 'POST', token: admin.token, headers, body })
    expect(json(purged).results).toMatchObject(ids.map(() => ({ state: 'done' })))
    await expect.poll(async () => (await uploadChunked('/probe.bin', 1.5 * MiB)).status).toBe(200)
    for (const name of ['rest.bin', 'probe.bin']) await rm(join(root, name), { force: true })
  },
)

test('a resumable upload that meets a full disk keeps the received data, and resumes when there is space', async () => {
  const tus = tusOf(server, admin)
  const content = Buffer.alloc(2.5 * MiB, 'c')
  expect((await tus.create('/pieces.bin', content.length)).status).toBe(201)
  expect((await tus.patch('/pieces.bin', 0, content.subarray(0, MiB))).status).toBe(204)
  await writeFile(join(root, 'filler.bin'), Buffer.alloc(2.5 * MiB))
  const refused = await tus.patch('/pieces.bin', MiB, content.subarray(MiB))
  await rm(join(root, 'filler.bin'))
  expect(mounted ? refused.status : 507).toBe(507)
  const offset = Number(offsetOf(await tus.head('/pieces.bin')))
  expect(offset).toBeGreaterThanOrEqual(MiB)
  expect((await tus.patch('/pieces.bin', offset, content.subarray(offset))).status).toBe(204)
  expect((await readFile(join(root, 'pieces.bin'))).equals(content)).toBe(true)
})
