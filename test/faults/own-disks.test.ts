import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { GOOD_PASSWORD, manager, perm, send } from '../api/accounts.ts'
import { call, json, login, person, signIn } from '../api/client.ts'
import { mayMount, mountSmallDisk, unmount } from '../api/disks.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { head, openSocket, readAll } from '../api/raw.ts'

const MiB = 2 ** 20
const canMount = mayMount()

/** A small disk for the server's own data, next to the folder it serves. */
async function ownDisk(bytes: number) {
  const place = await makeHome()
  const disk = join(place, 'own')
  mountSmallDisk(disk, bytes)
  onTestFinished(async () => {
    unmount(disk)
    await rm(place, { recursive: true, force: true })
  })
  const home = join(disk, 'home')
  await mkdir(home)
  return { root: join(place, 'srv'), disk, home }
}

/** Fills a disk to its last byte. @returns frees some space */
async function fill(disk: string): Promise<() => Promise<void>> {
  const filler = join(disk, 'filler')
  for (const size of [MiB, 4096, 1]) {
    for (let full = false; !full; ) {
      full = await writeFile(filler, Buffer.alloc(size), { flag: 'a' }).then(
        () => false,
        () => true,
      )
    }
  }
  return () => rm(filler)
}

test.runIf(canMount)(
  'DISK-04 while the disk of the database is full, reading continues, changes are refused, and it recovers automatically',
  async () => {
    const { root, disk, home } = await ownDisk(8 * MiB)
    const server = await serve({ root, home })
    await writeFile(join(root, 'a.txt'), 'alpha')
    const owner = await person(server)
    const makeRoom = await fill(disk)
    expect((await owner.get('/')).status).toBe(200)
    expect((await owner.raw('/a.txt')).text).toBe('alpha')
    const refused = await Promise.all(
      Array.from({ length: 30 }, (_, index) => owner.put(`/new ${index}/b.txt`, 'beta').then(({ status }) => status)),
    )
    expect(refused.filter(status => status !== 200 && status !== 507)).toEqual([])
    expect((await call(server, '/health')).status).toBe(200)
    await makeRoom()
    await expect.poll(async () => (await login(server, 'admin', server.adminPassword)).status).toBe(200)
    expect((await owner.put('/after/b.txt', 'beta')).status).toBe(200)
    expect(await readFile(join(root, 'after/b.txt'), 'utf8')).toBe('beta')
  },
)

test.runIf(canMount)(
  'HIST-06 while the disk of the database is full, a deletion does nothing and is refused, and one for good works',
  async () => {
    const { root, disk, home } = await ownDisk(8 * MiB)
    const server = await serve({ root, home })
    const names = Array.from({ length: 200 }, (_, index) => `${index}.txt`)
    await Promise.all(names.map(name => writeFile(join(root, name), name)))
    const owner = await person(server)
    const makeRoom = await fill(disk)
    const kept = new Set<string>()
    for (const name of names) {
      const { status, headers } = await owner.remove(`/${name}`)
      expect([204, 507]).toContain(status)
      if (status === 204) kept.add(headers.get('X-Kept') ?? '')
    }
    expect(kept.size).toBeLessThan(names.length)
    const standing = names.filter(name => existsSync(join(root, name)))
    expect(standing).toHaveLength(names.length - kept.size)
    for (const name of standing) expect((await owner.remove(`/${name}`, '?permanent=true')).status).toBe(204)
    await makeRoom()
    const { count } = json(await call(server, '/api/trash', { token: owner.token }))
    expect(count).toBe(kept.size)
    const area = (await readdir(root)).find(name => name.startsWith('.filigree-')) ?? ''
    expect(await readdir(join(root, area, 'trash/files'))).toHaveLength(kept.size)
  },
)

test.runIf(canMount)(
  'QTA-08 a write during which the disk of the database becomes full reserves at least what it leaves, until that is settled',
  async () => {
    const { root, disk, home } = await ownDisk(8 * MiB)
    const server = await serve({ root, home })
    const admin = await manager(server)
    const owner = await person(server)
    const id = await admin.add('ann', { scope: '/ann', perm: perm('create', 'download') })
    await mkdir(join(root, 'ann'), { recursive: true })
    await send(server, 'PUT', `/api/quotas/users/${id}`, admin.token, { bytes: 10 * MiB })
    const token = await signIn(server, 'ann', GOOD_PASSWORD)
    const quota = async () => json(await call(server, '/api/quota', { token }))
    await expect.poll(quota).toMatchObject({ used: 0, reserved: 0, exact: true })
    const socket = await openSocket(server)
    const answered = readAll(socket)
    const headers = { 'X-Auth': token, 'Content-Length': String(2 * MiB) }
    socket.write(head(server, { method: 'POST', target: '/api/resources/a', headers }))
    socket.write(Buffer.alloc(MiB, 'x'))
    await expect.poll(quota).toMatchObject({ used: 0, reserved: 2 * MiB })
    const makeRoom = await fill(disk)
    const isFull = async (index: number) => (await owner.put(`/other/${index}`, 'x')).status === 507
    for (let index = 0; !(await isFull(index)); index += 1);
    socket.write(Buffer.alloc(MiB, 'x'))
    await answered
    const { size } = await stat(join(root, 'ann/a')).catch(() => ({ size: 0 }))
    const { used, reserved } = await quota()
    expect(used + reserved).toBeGreaterThanOrEqual(size)
    await makeRoom()
    await expect.poll(quota, { timeout: 150_000 }).toMatchObject({ used: size, reserved: 0, exact: true })
  },
  300_000,
)

test('HIST-06 while the database cannot be written, a deletion does nothing and is refused', async () => {
  const server = await serve({ shell: 'ulimit -f 4096' })
  const owner = await person(server)
  await mkdir(join(server.root, 'many'))
  const names = Array.from({ length: 1500 }, (_, index) => `${index}.txt`)
  await Promise.all(names.map(name => writeFile(join(server.root, 'many', name), name)))
  let refused = ''
  for (const name of names) {
    const { status } = await owner.remove(`/many/${name}`)
    if (status === 204) continue
    expect(status).toBe(503)
    refused = name
    break
  }
  expect(await readFile(join(server.root, 'many', refused), 'utf8')).toBe(refused)
  expect((await owner.remove(`/many/${refused}`, '?permanent=true')).status).toBe(204)
})

test.runIf(canMount)('DISK-07 while the disk of the previews is full, previews are still made', async () => {
  const { root, disk } = await ownDisk(MiB)
  const server = await serve({ root, args: ['--cacheDir', join(disk, 'cache')] })
  await mkdir(join(disk, 'cache'), { recursive: true })
  await fill(disk)
  await copyFile(join(import.meta.dirname, '../corpus/halves.tif'), join(root, 'a.tif'))
  const { token } = await person(server)
  const preview = await call(server, '/api/preview/thumb/a.tif?inline=true', { token })
  expect(preview.status).toBe(200)
  expect(preview.headers.get('content-type')).toMatch(/^image\/(jpeg|webp)$/)
})

test.runIf(process.platform === 'linux')('DISK-09 a log that cannot be written blocks no request', async () => {
  const server = await serve({ args: ['--log', '/dev/full'] })
  const owner = await person(server)
  for (let index = 0; index < 50; index++) expect((await owner.put(`/${index}.txt`, 'x')).status).toBe(200)
  expect((await owner.get('/')).status).toBe(200)
})
