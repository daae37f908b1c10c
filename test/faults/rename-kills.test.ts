import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { json, person } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { Dice } from '../fuzz/dice.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'

/** Kills in total; whole: 60. */
const KILLS = size('RENAME_KILLS', 4)
const NAMES = Array.from({ length: 60 }, (_, index) => `${index}.txt`)

/** Every file's content by name. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder)
  return Object.fromEntries(
    await Promise.all(names.map(async name => [name, await readFile(join(folder, name), 'utf8')])),
  )
}

/** New names for most files: the same names and a few free ones, in random order. */
function targetsOf(dice: Dice): string[] {
  const pool = [...NAMES, 'x.txt', 'y.txt', 'z.txt'].map(name => ({ name, at: dice.roll() }))
  return pool.sort((a, b) => a.at - b.at).map(({ name }) => name)
}

test(`BREN-01 through ${KILLS} kills no content is lost, and all names are as planned in the end`, async () => {
  let server: OwnServer = await startServer()
  onTestFinished(() => server.stop())
  const owner = await person(server)
  const dice = new Dice(SEED)
  let took = 150
  let between = 0
  for (let round = 0; round < KILLS; round++) {
    const folder = join(server.root, `round${round}`)
    await mkdir(folder)
    for (const name of NAMES) await writeFile(join(folder, name), name)
    const targets = targetsOf(dice)
    const pairs = NAMES.map((name, index) => [name, targets[index] ?? name] as const).filter(
      ([from, to]) => from !== to,
    )
    const items = pairs.map(([from, to]) => ({ from: `/round${round}/${from}`, to: `/round${round}/${to}` }))
    const began = performance.now()
    const acting = jobsOf(server, owner)
      .ask({ kind: 'rename', items })
      .catch(() => undefined)
    if (round === 0) {
      await acting
      took = performance.now() - began
    }
    await new Promise(resolve => setTimeout(resolve, round === 0 ? 0 : dice.roll() * took))
    await server.end('SIGKILL')
    const answer = await acting
    const atOnce = await contentsOf(folder)
    expect(new Set(Object.values(atOnce))).toEqual(new Set(NAMES))
    server = await startServer({ home: server.home, root: server.root })
    const jobs = jobsOf(server, owner)
    const waiting = json(await jobs.list()) as { id: string }[]
    for (const { id } of waiting) {
      await jobs.ended(id)
      await jobs.forget(id)
    }
    const planned = Object.fromEntries(NAMES.map(name => [name, name]))
    if (waiting.length > 0 || answer?.status === 200) {
      for (const [from] of pairs) delete planned[from]
      for (const [from, to] of pairs) planned[to] = from
    }
    const end = await contentsOf(folder)
    expect(end).toEqual(planned)
    if (JSON.stringify(Object.entries(atOnce).sort()) !== JSON.stringify(Object.entries(end).sort())) between++
    await rm(folder, { recursive: true })
  }
  report(`${KILLS} kills of renames (seed ${SEED}), ${between} of them in the middle`)
}, 600_000)
