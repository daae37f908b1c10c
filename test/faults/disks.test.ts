import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Job, JobRequest } from '../../shared/api/jobs.ts'
import { json, person } from '../api/client.ts'
import { openedBelow } from '../api/descriptors.ts'
import { forbidWriting, mayMount, mountSmallDisk, unmount } from '../api/disks.ts'
import { makeHome, startServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { head, openSocket, parse, readAll } from '../api/raw.ts'
import { offsetOf, tusOf } from '../api/tus.ts'
import { unpack } from '../api/unpack.ts'
import { Dice } from '../fuzz/dice.ts'
import { type Contents, contentsOf } from './operations.ts'
import { SEED, size } from './sizes.ts'

const MiB = 2 ** 20
const canMount = mayMount()
/** Kills during a move from one disk to another; whole: 20. */
const KILLS = size('MOVES', 2)

/** A home whose served folder holds two disks, one of them small. */
async function homeWithDisks() {
  const home = await makeHome()
  const root = join(home, 'srv')
  const [large, small] = [join(root, 'large'), join(root, 'small')]
  mountSmallDisk(large, 64 * MiB)
  mountSmallDisk(small, 4 * MiB)
  return { home, root, large, small, unmount: () => [large, small].map(unmount) }
}

async function plant(folder: string, count: number, bytes: number): Promise<Contents> {
  await mkdir(join(folder, 'sub'), { recursive: true })
  for (let index = 0; index < count; index++) {
    await writeFile(join(folder, index % 2 === 0 ? '' : 'sub', `f${index}.bin`), randomBytes(bytes))
  }
  return contentsOf(folder)
}

const outcome = (job: Job) => job.items?.map(({ state, code }) => code ?? state)

/** The names in a folder, without the area of what was deleted and replaced there. */
const namesIn = async (folder: string) => (await readdir(folder)).filter(name => !name.startsWith('.filigree-'))

describe.runIf(canMount)('with disks of their own', async () => {
  const disks = await homeWithDisks()
  const server = await serve({ home: disks.home, root: disks.root })
  afterAll(async () => {
    await server.end()
    disks.unmount()
  })
  const owner = await person(server)
  const run = (request: JobRequest) => jobsOf(server, owner).run(request)
  const item = (from: string, to: string) => [{ from, to }]
  const { large, small, root } = disks

  test('MOVE-01 a folder moved to another disk arrives complete, with its times, before the source is deleted', async () => {
    const before = await plant(join(large, 'goes'), 10, 10_000)
    const { mtimeMs } = await stat(join(large, 'goes/f0.bin'))
    expect(outcome(await run({ kind: 'move', items: item('/large/goes', '/small/came') }))).toEqual(['done'])
    expect(await contentsOf(join(small, 'came'))).toEqual(before)
    expect((await stat(join(small, 'came/f0.bin'))).mtimeMs).toBeCloseTo(mtimeMs, -1)
    expect(await namesIn(large)).toEqual([])
    await rm(join(small, 'came'), { recursive: true })
  })

  test.each(['copy', 'move'] as const)(
    'MOVE-03 MOVE-04 a %s without enough space leaves everything unchanged',
    async kind => {
      const before = await plant(join(large, 'much'), 6, MiB)
      const answer = await run({ kind, items: item('/large/much', '/small/much') })
      expect(outcome(answer)).toEqual(['no_space'])
      expect(await contentsOf(join(large, 'much'))).toEqual(before)
      expect(await namesIn(small)).toEqual([])
      await writeFile(join(large, 'little'), 'little')
      expect(outcome(await run({ kind, items: item('/large/little', '/small/little') }))).toEqual(['done'])
      await rm(join(small, 'little'))
      await rm(join(large, 'much'), { recursive: true })
    },
  )

  test('LINK-09 another disk in a folder is listed and packed, and never emptied by deleting the folder', async () => {
    const inner = join(root, 'holder/disk')
    mountSmallDisk(inner, MiB)
    onTestFinished(() => void unmount(inner))
    await writeFile(join(inner, 'kept.txt'), 'kept')
    expect(json(await owner.get('/holder/disk/')).items).toMatchObject([{ name: 'kept.txt' }])
    expect(await unpack((await owner.raw('/holder')).bytes, '.zip')).toMatchObject({ 'disk/kept.txt': 'kept' })
    for (const path of ['/holder', '/holder/disk']) expect((await owner.remove(path)).status).toBe(503)
    expect(await readFile(join(inner, 'kept.txt'), 'utf8')).toBe('kept')
    expect((await owner.remove('/holder/disk/kept.txt')).status).toBe(204)
  })

  test('MOVE-03 files to be replaced on a full disk stay unchanged', async () => {
    await plant(join(large, 'tree'), 4, 2 * MiB)
    const old = await plant(join(small, 'tree'), 4, 500_000)
    const job = await run({ kind: 'copy', conflict: 'replace', items: item('/large/tree', '/small/tree') })
    expect(outcome(job)).toEqual(['no_space'])
    const now = await contentsOf(join(small, 'tree'))
    const fresh = await contentsOf(join(large, 'tree'))
    for (const [name, hash] of Object.entries(old)) expect([hash, fresh[name]]).toContain(now[name])
    expect(Object.keys(now)).toEqual(Object.keys(old))
    expect((await readdir(small, { recursive: true })).filter(name => name.includes('.~fg-'))).toEqual([])
    await Promise.all([large, small].map(disk => rm(join(disk, 'tree'), { recursive: true })))
  })

  test('DISK-01 an archive without enough space leaves nothing, and no file open', async () => {
    await plant(join(large, 'packed'), 6, MiB)
    const archive = { to: '/small/all.tar', format: 'tar' }
    expect(outcome(await run({ kind: 'archive', items: [{ from: '/large/packed' }], archive }))).toEqual(['no_space'])
    expect(await namesIn(small)).toEqual([])
    await expect.poll(() => openedBelow(join(large, 'packed'), server.pid)).toEqual([])
    await rm(join(large, 'packed'), { recursive: true })
  })

  test('UPL-17 DISK-06 a disk that becomes read-only is reported, and the upload resumes when it is writable again', async () => {
    const tus = tusOf(server, owner)
    await tus.create('/small/a', 6)
    await tus.patch('/small/a', 0, 'abc')
    const allow = forbidWriting(small)
    const refused = await tus.patch('/small/a', 3, 'def').finally(allow)
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'read_only'])
    const offset = Number(offsetOf(await tus.head('/small/a')))
    expect((await tus.patch('/small/a', offset, 'abcdef'.slice(offset))).status).toBe(204)
    expect(await readFile(join(small, 'a'), 'utf8')).toBe('abcdef')
    await rm(join(small, 'a'))
  })

  test('UPL-16 an endless body is refused for lack of space, and leaves nothing', async () => {
    const socket = await openSocket(server)
    const answered = readAll(socket)
    const headers = { 'X-Auth': owner.token, 'Transfer-Encoding': 'chunked' }
    socket.write(head(server, { method: 'POST', target: '/api/resources/small/endless', headers }))
    const piece = Buffer.concat([Buffer.from('40000\r\n'), Buffer.alloc(0x40000, 'x'), Buffer.from('\r\n')])
    const more = () => {
      while (socket.writable && socket.write(piece));
    }
    socket.on('drain', more)
    more()
    expect(parse(await answered).status).toBe(507)
    await expect.poll(() => namesIn(small)).toEqual([])
  })

  test('MOVE-11 a tree that cannot be deleted completely is reported, and the rest of it stays', async () => {
    await plant(join(large, 'held/fast'), 2, 1000)
    const allow = forbidWriting(join(large, 'held/fast'))
    onTestFinished(allow)
    const job = await run({ kind: 'delete', permanent: true, items: [{ from: '/large/held' }] })
    const single = await owner.remove('/large/held', '?permanent=true')
    allow()
    expect(outcome(job)).not.toEqual(['done'])
    expect(single.status).toBeGreaterThanOrEqual(400)
    expect((await readdir(join(large, 'held/fast'))).sort()).toEqual(['f0.bin', 'sub'])
    expect((await owner.remove('/large/held')).status).toBe(204)
  })

  test('DISK-03 without free inodes, an upload is refused with that reason, and deleting still works', async () => {
    const few = join(root, 'few')
    mountSmallDisk(few, 4 * MiB, 6)
    onTestFinished(() => void unmount(few))
    const statuses: number[] = []
    for (let index = 0; index < 7; index++) statuses.push((await owner.put(`/few/${index}`, 'x')).status)
    expect(statuses).toContain(200)
    expect(statuses.at(-1)).toBe(507)
    expect((await owner.remove('/few/0')).status).toBe(409)
    expect((await owner.remove('/few/0', '?permanent=true')).status).toBe(204)
    expect((await owner.put('/few/again', 'x')).status).toBe(200)
  })
})

test.runIf(canMount)(
  `MOVE-01 through ${KILLS} kills a move to another disk has each file complete in one place or both`,
  async () => {
    const disks = await homeWithDisks()
    let server = await startServer({ home: disks.home, root: disks.root })
    onTestFinished(async () => {
      await server.end()
      disks.unmount()
      await server.stop()
    })
    const dice = new Dice(SEED)
    const owner = await person(server)
    for (let round = 0; round < KILLS; round++) {
      const [from, to] = [join(disks.large, 'tree'), join(disks.small, 'tree')]
      const before = await plant(from, 30, 60_000)
      const request = {
        kind: 'move',
        items: [{ from: '/large/tree', to: '/small/tree' }],
        runAt: new Date().toISOString(),
      }
      const { id } = json(await jobsOf(server, owner).ask(request))
      await new Promise(resolve => setTimeout(resolve, dice.below(400)))
      await server.end('SIGKILL')
      const [there, here] = [await contentsOf(from).catch(() => ({})), await contentsOf(to).catch(() => ({}))]
      expect({ ...here, ...there }).toEqual(before)
      for (const place of [there, here]) expect(before).toMatchObject(place)
      server = await startServer({ home: disks.home, root: disks.root })
      expect(outcome(await jobsOf(server, owner).ended(id))).toEqual(['done'])
      expect(await contentsOf(to)).toEqual(before)
      expect(await readdir(disks.large)).toEqual([])
      await expect.poll(() => readdir(disks.small)).toEqual(['tree'])
      await rm(to, { recursive: true })
    }
  },
  600_000,
)
