import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Job } from '../../shared/api/jobs.ts'
import { MOUNT_RIGHTS, type Mount } from '../../shared/api/mounts.ts'
import { type Manager, manager, send } from '../api/accounts.ts'
import { call, json, type Person, person } from '../api/client.ts'
import { mayMount, mountSmallDisk, unmount } from '../api/disks.ts'
import { makeHome, type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { Dice } from '../fuzz/dice.ts'
import { SEED, size } from './sizes.ts'

/** Kills in total; whole: 60. */
const KILLS = size('ROOT_KILLS', 3)
const FILES = size('ROOT_FILES', 120)
/** Enough for a move to take longer than its pause. */
const HELD_FILES = size('ROOT_HELD_FILES', 2000)
const OLD = new Date('2020-02-02T02:02:02Z')
const LATE = { timeout: 60_000 }
const DISKS = ['media', 'archive', 'small'] as const
const SMALL = 2 ** 21
const hasDisks = mayMount()

let server: OwnServer
let admin: Manager
let owner: Person
let home: string
const diskOf = (name: (typeof DISKS)[number]) => join(home, name)
const mountOf = (name: (typeof DISKS)[number]) => `/${name.toUpperCase()}`

const start = async (known?: { root: string }) => {
  server = await startServer({ home, args: ['--config', join(home, 'roots.json')], ...known })
  admin = await manager(server)
  owner = await person(server)
}

beforeAll(async () => {
  home = await makeHome()
  for (const name of DISKS) await mkdir(diskOf(name))
  if (hasDisks) mountSmallDisk(diskOf('small'), SMALL)
  const roots = Object.fromEntries(DISKS.map(name => [name, diskOf(name)]))
  await writeFile(join(home, 'roots.json'), JSON.stringify({ roots }))
  await start()
  for (const root of DISKS) {
    const made = await send(server, 'POST', '/api/mounts', admin.token, { name: mountOf(root).slice(1), root })
    const access = `/api/mounts/${(json(made) as Mount).id}/access/group/everyone`
    expect((await send(server, 'PUT', access, admin.token, { rights: MOUNT_RIGHTS })).status).toBe(204)
  }
})

afterAll(async () => {
  // What is mounted in the home cannot be removed with it.
  await server.end()
  if (hasDisks) unmount(diskOf('small'))
  await server.stop()
})

const contentOf = (number: number) => Buffer.alloc(20_000 + number * 331, number)
const nameOf = (number: number) => `${number % 7}/p${number}.bin`

/** A tree with old times, at a path of this machine. */
async function plant(folder: string, count = FILES): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const path = join(folder, nameOf(number))
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, contentOf(number))
    await utimes(path, OLD, OLD)
  }
}

/** The files below some folders that users see, by their names, with where each is. */
async function found(...folders: string[]): Promise<Map<string, string[]>> {
  const all = new Map<string, string[]>()
  for (const folder of folders)
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
      if (entry.isFile() && /^p\d+\.bin$/.test(entry.name) && !entry.parentPath.includes('/.')) {
        const path = join(entry.parentPath, entry.name)
        all.set(entry.name, [...(all.get(entry.name) ?? []), path])
      }
  return all
}

/** Files that are being made in a disk, which no user sees yet. */
const underWay = async (disk: string): Promise<number> =>
  (await readdir(disk, { recursive: true }).catch(() => [])).filter(path =>
    /^p\d+\.bin$/.test(path.split('/').at(-1) ?? ''),
  ).length

const jobs = () => jobsOf(server, owner)
const move = async (from: string, to: string): Promise<string> => {
  const answer = await call(server, '/api/jobs', {
    method: 'POST',
    token: owner.token,
    // A job that ends within its request is not kept: nothing could be asked about it.
    headers: { 'Content-Type': 'application/json', Prefer: 'wait=0' },
    body: JSON.stringify({ kind: 'move', items: [{ from, to }] }),
  })
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)])
  return (json(answer) as Job).id
}

/** Begins a move to another root, and holds it once some of it has arrived there. */
async function heldMove(from: string, disk: string, to: string): Promise<string> {
  const id = await move(from, to)
  await expect.poll(() => underWay(disk), { ...LATE, interval: 1 }).toBeGreaterThan(0)
  await jobs().pause(id, true)
  return id
}

describe('ROOT-04 a folder that goes round three roots', () => {
  test(`is whole through ${KILLS} kills: each file once, with its time, and gone only where its copy is`, async () => {
    const dice = new Dice(SEED)
    const top = uniqueName('round')
    const stops = [
      { path: `/${top}`, folder: join(server.root, top) },
      { path: `${mountOf('media')}/${top}`, folder: join(diskOf('media'), top) },
      { path: `${mountOf('archive')}/${top}`, folder: join(diskOf('archive'), top) },
    ]
    await plant(stops[0]?.folder ?? '')
    for (let round = 0; round < KILLS; round += 1) {
      const [from, to] = [stops[round % 3], stops[(round + 1) % 3]]
      if (!from || !to) throw new Error('there is no such stop')
      const id = await move(from.path, to.path)
      await new Promise(resolve => setTimeout(resolve, dice.roll() * 300))
      await server.end('SIGKILL')
      const between = await found(from.folder, to.folder)
      expect([round, between.size]).toEqual([round, FILES])
      await start({ root: server.root })
      const job = await jobs().ended(id)
      expect([round, job.items?.map(({ state, code }) => [state, code])]).toEqual([round, [['done', undefined]]])
      const there = await found(...stops.map(({ folder }) => folder))
      expect([round, there.size]).toEqual([round, FILES])
      for (const [name, paths] of there) {
        const number = Number(/\d+/.exec(name)?.[0])
        expect([round, paths]).toEqual([round, [join(to.folder, nameOf(number))]])
        expect((await stat(paths[0] ?? '')).mtime).toEqual(OLD)
        expect((await readFile(paths[0] ?? '')).equals(contentOf(number))).toBe(true)
      }
      expect(existsSync(from.folder)).toBe(false)
    }
    for (const name of ['media', 'archive'] as const)
      expect((await readdir(diskOf(name))).filter(entry => entry.startsWith('.~'))).toEqual([])
  }, 3_600_000)
})

describe('ROOT-05 while a folder is moved to another root', () => {
  test('what is changed, replaced, added and removed in it by another program is not lost, and not brought back', async () => {
    const top = uniqueName('changed')
    const [source, goal] = [join(server.root, top), join(diskOf('media'), top)]
    await plant(source, HELD_FILES)
    const id = await heldMove(`/${top}`, diskOf('media'), `${mountOf('media')}/${top}`)
    const last = HELD_FILES - 1
    const edits: Record<string, string> = {}
    for (const number of [0, 1, last]) {
      edits[nameOf(number)] = `changed ${number}`
      await writeFile(join(source, nameOf(number)), `changed ${number}`)
    }
    for (const number of [2, 3, last - 1]) {
      edits[nameOf(number)] = `another ${number}`
      await writeFile(join(source, 'newcomer'), `another ${number}`)
      await rename(join(source, 'newcomer'), join(source, nameOf(number)))
    }
    edits['0/added.txt'] = 'added'
    await writeFile(join(source, '0/added.txt'), 'added')
    for (const number of [4, last - 2]) await rm(join(source, nameOf(number)))
    await jobs().pause(id, false)
    const { items = [] } = await jobs().ended(id)
    for (const [name, content] of Object.entries(edits)) {
      const places = [join(source, name), join(goal, name)].filter(existsSync)
      const contents = await Promise.all(places.map(path => readFile(path, 'utf8')))
      expect([name, contents.includes(content)]).toEqual([name, true])
    }
    for (let number = 5; number < last - 2; number += 1) {
      const places = [join(source, nameOf(number)), join(goal, nameOf(number))].filter(existsSync)
      for (const path of places) expect((await readFile(path)).equals(contentOf(number))).toBe(true)
      expect([number, places.length > 0]).toEqual([number, true])
    }
    // What stays is reported.
    expect([items[0]?.state, existsSync(source)]).toEqual(
      items[0]?.state === 'done' ? ['done', false] : ['failed', true],
    )
    for (const number of [4, last - 2]) expect(existsSync(join(source, nameOf(number)))).toBe(false)
  })

  test.runIf(hasDisks)(
    'a full target takes no half of it, the source stays whole, and what fits still goes there',
    async () => {
      const top = uniqueName('full')
      const source = join(server.root, top)
      await plant(source)
      const go = (from: string) => jobs().run({ kind: 'move', items: [{ from, to: `${mountOf('small')}/${top}` }] })
      expect((await go(`/${top}`)).items).toMatchObject([{ state: 'failed', code: 'no_space' }])
      expect((await found(source)).size).toBe(FILES)
      expect(existsSync(join(diskOf('small'), top))).toBe(false)
      await expect.poll(() => underWay(diskOf('small')), LATE).toBe(0)
      await plant(join(server.root, `${top}-few`), 3)
      expect((await go(`/${top}-few`)).items).toMatchObject([{ state: 'done' }])
      expect((await found(join(diskOf('small'), top))).size).toBe(3)
    },
  )

  test('a target that goes away leaves the source whole, and the move continues, or ends with a cause, once it is back', async () => {
    const top = uniqueName('away')
    const [source, disk] = [join(server.root, top), diskOf('archive')]
    await plant(source, HELD_FILES)
    const id = await heldMove(`/${top}`, disk, `${mountOf('archive')}/${top}`)
    await rename(disk, `${disk}-pulled`)
    await mkdir(disk)
    await jobs().pause(id, false)
    await new Promise(resolve => setTimeout(resolve, 1500))
    const meanwhile = json(await jobs().get(id)) as Job
    const isOver = meanwhile.ended !== undefined
    if (isOver) expect(meanwhile.items?.[0]).toMatchObject({ state: 'failed', code: 'unavailable' })
    expect((await found(source)).size).toBe(HELD_FILES)
    expect(await readdir(disk)).toEqual([])
    await rm(disk, { recursive: true })
    await rename(`${disk}-pulled`, disk)
    await expect.poll(async () => (await owner.get(`${mountOf('archive')}/`)).status, LATE).toBe(200)
    const { items } = isOver
      ? await jobs().run({ kind: 'move', items: [{ from: `/${top}`, to: `${mountOf('archive')}/${top}` }] })
      : await jobs().ended(id)
    expect(items).toMatchObject([{ state: 'done' }])
    const there = await found(source, join(disk, top))
    expect(there.size).toBe(HELD_FILES)
    for (const [name, paths] of there) {
      const number = Number(/\d+/.exec(name)?.[0])
      expect(paths).toEqual([join(disk, top, nameOf(number))])
      expect((await readFile(paths[0] ?? '')).equals(contentOf(number))).toBe(true)
    }
    expect(existsSync(source)).toBe(false)
  })
})
