import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { person } from '../api/client.ts'
import { startServer } from '../api/harness.ts'
import { Dice } from '../fuzz/dice.ts'
import { CHANGES, contentsOf, type Operation, prepareIn, Refusal, type Stage, type Visit } from './operations.ts'
import { makePowerDisk } from './power-disk.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'
import { demandOldOrNew, demandTidy } from './verdict.ts'

/** Number of power cuts; whole: 100. */
const CUTS = size('CUTS', 2)
/** Milliseconds within which the power is cut when not after the response: as long as most operations take. */
const SPAN = 120

const place = await mkdtemp(join(tmpdir(), 'power-'))
const disk = await makePowerDisk(place)
afterAll(async () => {
  disk.remove()
  await rm(place, { recursive: true })
})

/** Whether the server reported success. */
const isReported = (operation: Operation, visit: Visit): Promise<boolean> =>
  operation.act(visit).catch(thrown => {
    if (thrown instanceof Refusal) return false
    throw thrown
  })

/** Everything acknowledged exists; removed files may exist again. */
async function demandDone({ after }: Operation, stage: Stage): Promise<void> {
  expect(await contentsOf(stage.disk)).toMatchObject(after)
}

describe.runIf(disk.mounted)('a disk with simulated power failures', () => {
  const { folder, sync, cut, restart } = disk

  test('loses data that was not synced', async () => {
    await writeFile(join(folder, 'early'), 'early')
    sync()
    await writeFile(join(folder, 'late'), 'late')
    cut()
    restart()
    expect(await readFile(join(folder, 'early'), 'utf8')).toBe('early')
    expect(await readFile(join(folder, 'late'), 'utf8').catch(() => '')).toBe('')
  })

  test(`CRASH-11 through ${CUTS} power failures every file is old or new, and new once it was acknowledged`, async () => {
    const home = join(folder, 'home')
    await mkdir(join(home, 'srv'), { recursive: true })
    let server = await startServer({ home })
    onTestFinished(() => server.stop())
    const visit: Visit = { server, owner: await person(server) }
    const dice = new Dice(SEED)
    const counts = { done: 0, before: 0 }
    for (let round = 0; round < CUTS; round++) {
      const name = CHANGES[round % CHANGES.length] ?? ''
      const { operation, stage } = await prepareIn(visit, `round${round}`, name)
      sync()
      const acting = isReported(operation, visit)
      // Every second time right after the response.
      const late = new Promise<boolean>(resolve => setTimeout(() => resolve(false), dice.below(SPAN)))
      const done = await (round % 2 === 0 ? acting : Promise.race([acting, late]))
      cut()
      await server.end('SIGKILL')
      await acting
      counts[done ? 'done' : 'before'] += 1
      restart()
      await demandOldOrNew(operation, stage, false)
      if (done) await demandDone(operation, stage)
      server = await startServer({ home })
      visit.server = server
      await operation.resume?.(visit)
      await demandOldOrNew(operation, stage, false)
      await demandTidy(operation, stage)
      await rm(stage.disk, { recursive: true })
    }
    report(`power cut ${CUTS} times: ${counts.done} after the response, ${counts.before} before it (seed ${SEED})`)
  }, 3_600_000)
})
