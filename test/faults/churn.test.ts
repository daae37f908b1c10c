import { mkdir, mkdtemp, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, json, person } from '../api/client.ts'
import { corner, serve } from '../api/instance.ts'
import { unpack } from '../api/unpack.ts'
import { Dice } from '../fuzz/dice.ts'
import { SEED, size } from './sizes.ts'

/** Requests while the file changes; whole: 200. */
const ROUNDS = size('ROUNDS', 6)
/** Files of a tree that is deleted while it is in use; with --big: 100 000. */
const TREE = size('TREE', 600)

const server = await serve()
const owner = await person(server)

const search = (path: string, query: string) =>
  call(server, `/api/search${path}?query=${query}`, { token: owner.token })

/** Repeats an operation until the test stops it, as another program would. @returns stops it, and returns the count */
function churning(act: (nth: number) => Promise<unknown>): () => Promise<number> {
  let going = true
  const run = async () => {
    let nth = 0
    for (; going; nth += 1) await act(nth)
    return nth
  }
  const running = run()
  const stop = () => {
    going = false
    return running
  }
  onTestFinished(async () => void (await stop()))
  return stop
}

test('RACE-05 a folder that changes continuously is listed and searched repeatedly', async () => {
  const { path, disk } = await corner(server)
  for (let index = 0; index < 50; index++) await writeFile(join(disk, `stays ${index}`), '')
  const stop = churning(async nth => {
    await writeFile(join(disk, `goes ${nth}`), '')
    await rm(join(disk, `goes ${nth - 20}`), { force: true })
  })
  for (let round = 0; round < ROUNDS; round++) {
    const [listed, found] = await Promise.all([owner.get(path), search(path, 'stays')])
    expect([listed.status, found.status]).toEqual([200, 200])
    const names = json(listed).items.map(({ name }: { name: string }) => name)
    expect(names.filter((name: string) => name.startsWith('stays'))).toHaveLength(50)
    expect(json(found)).toHaveLength(50)
  }
  expect(await stop()).toBeGreaterThan(ROUNDS)
})

test.each(['zip', 'tar', 'targz'])(
  'RACE-06 a folder that changes while it is packed as %s gives a valid archive, or an interrupted one',
  async algo => {
    const { path, disk } = await corner(server)
    const dice = new Dice(SEED)
    for (let index = 0; index < 30; index++) await writeFile(join(disk, `f${index}`), Buffer.alloc(50_000, 'x'))
    const stop = churning(async () => {
      const file = join(disk, `f${dice.below(30)}`)
      const how = dice.below(3)
      if (how === 0) await rm(file, { force: true })
      else if (how === 1) await truncate(file, dice.below(50_000)).catch(() => {})
      else await writeFile(file, Buffer.alloc(dice.below(100_000), 'y'))
    })
    for (let round = 0; round < ROUNDS; round++) {
      const answer = await owner.raw(path, `?algo=${algo}`).catch(() => undefined)
      if (!answer || answer.status === 503) continue
      expect(answer.status).toBe(200)
      const content = await unpack(answer.bytes, algo === 'targz' ? '.tar.gz' : `.${algo}`)
      expect(Object.keys(content).every(name => /^f\d+$|^_errors\.txt$/.test(name))).toBe(true)
    }
    await stop()
    expect((await owner.raw(path, `?algo=${algo}`)).status).toBe(200)
  },
)

test('RACE-07 of a folder that is moved out during a walk, nothing is listed that exists only outside', async () => {
  const { path, disk } = await corner(server)
  const outside = await mkdtemp(join(tmpdir(), 'outside-'))
  onTestFinished(() => rm(outside, { recursive: true }))
  const [inner, outer] = [join(disk, 'tree/a'), join(outside, 'a')]
  await mkdir(join(inner, 'b/c'), { recursive: true })
  for (let index = 0; index < 40; index++) await writeFile(join(inner, 'b', `f${index}`), 'inside')
  await writeFile(join(outside, 'secret.txt'), 'OUTSIDE')
  const stop = churning(async () => {
    await rename(inner, outer)
    await rename(outer, inner)
  })
  for (let round = 0; round < ROUNDS; round++) {
    const archive = await owner.raw(path, '?algo=tar').catch(() => undefined)
    expect(archive?.bytes.includes('OUTSIDE') ?? false).toBe(false)
    const found = await search(path, 'secret')
    expect([found.status, json(found)]).toEqual([200, []])
  }
  await stop()
})

test(`MOVE-09 a tree of ${TREE} files is deleted while it is listed, packed and copied, and the server continues`, async () => {
  const { path, disk } = await corner(server)
  for (let start = 0; start < TREE; start += 500) {
    const folder = join(disk, 'tree', `${start}`)
    await mkdir(folder, { recursive: true })
    const names = Array.from({ length: Math.min(500, TREE - start) }, (_, index) => `${index}`)
    await Promise.all(names.map(name => writeFile(join(folder, name), name)))
  }
  const statuses = new Set<number>()
  const copy = `/api/resources${path}/tree?action=copy&destination=${path}/copy&rename=true`
  const asking = churning(async () => {
    const answers = await Promise.allSettled([
      owner.get(`${path}/tree`),
      owner.raw(`${path}/tree`, '?algo=tar'),
      call(server, copy, { method: 'PATCH', token: owner.token }),
    ])
    for (const answer of answers) if (answer.status === 'fulfilled') statuses.add(answer.value.status)
  })
  expect((await owner.remove(`${path}/tree`)).status).toBe(204)
  await asking()
  expect([...statuses].filter(status => ![200, 404, 409, 503].includes(status))).toEqual([])
  expect((await call(server, '/health')).status).toBe(200)
  expect((await readdir(disk)).filter(name => !name.startsWith('copy'))).toEqual([])
}, 1_200_000)
