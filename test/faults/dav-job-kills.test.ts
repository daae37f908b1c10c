import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Job } from '../../shared/api/jobs.ts'
import { json, person } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { Dice } from '../fuzz/dice.ts'
import { basic } from '../integration/dav-place.ts'
import { isLeftover } from './operations.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'
import { trashOf } from './trash-operations.ts'

const ROUNDS = size('DAV_JOB_ROUNDS', 3)
/** Kills during one transfer. */
const KILLS = 2
/** More than a request copies. */
const FILES = size('DAV_JOB_FILES', 1200)

const treeOf = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
    .sort()

async function plant(folder: string, files: number): Promise<void> {
  await mkdir(join(folder, 'deep'), { recursive: true })
  for (let file = 0; file < files; file += 1)
    await writeFile(join(folder, file % 2 ? 'deep' : '', `${file}.txt`), `${file}`)
}

const copy = ({ url, adminPassword }: OwnServer, top: string) =>
  fetch(`${url}/dav${top}/from`, {
    method: 'COPY',
    headers: { Authorization: basic('admin', adminPassword), Destination: `/dav${top}/to` },
  }).catch(() => undefined)

test(`DAV-30 a long COPY over a folder is finished after each of ${KILLS} kills, ${ROUNDS} times`, async () => {
  let server = await startServer()
  onTestFinished(() => server.stop())
  const owner = await person(server)
  const dice = new Dice(SEED)
  const counts = { answered: 0, lost: 0, resumed: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const top = `/round${round}`
    const disk = join(server.root, top)
    await plant(join(disk, 'from'), FILES)
    await mkdir(join(disk, 'to'))
    await writeFile(join(disk, 'to/old.txt'), 'old')
    const before = await treeOf(join(disk, 'from'))
    const copying = copy(server, top)
    let listed: Job[] = []
    const list = async () => {
      listed = json(await jobsOf(server, owner).list())
      return listed.length
    }
    await expect.poll(list, { timeout: 60_000, interval: 20 }).toBe(1)
    for (let kill = 0; kill < KILLS; kill += 1) {
      await wait(dice.below(400))
      await server.end('SIGKILL')
      expect([['old.txt'], before]).toContainEqual(await treeOf(join(disk, 'to')))
      server = await startServer({ home: server.home })
    }
    const answer = await copying
    const jobs = jobsOf(server, owner)
    await list()
    for (const { id } of listed) expect(await jobs.ended(id)).toMatchObject({ state: 'done', count: { done: 1 } })
    const isDone = listed.length > 0 || answer !== undefined
    counts[answer ? 'answered' : isDone ? 'resumed' : 'lost'] += 1
    expect(await treeOf(join(disk, 'to'))).toEqual(isDone ? before : expect.anything())
    expect(await treeOf(join(disk, 'from'))).toEqual(before)
    expect(await readFile(join(disk, 'from/0.txt'), 'utf8')).toBe('0')
    await expect.poll(async () => (await readdir(disk)).filter(name => isLeftover(`/${name}`))).toEqual([])
    const isNew = (await treeOf(join(disk, 'to'))).length > 1
    const inTrash = async () =>
      (await trashOf({ server, owner })).items.filter(({ path }) => path === `${top}/to`).length
    await expect.poll(inTrash).toBe(isNew ? 1 : 0)
    for (const { id } of listed) await jobs.forget(id)
  }
  report(`COPY as a job (seed ${SEED}): ${JSON.stringify(counts)}`)
}, 900_000)
