import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { person } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { Dice } from '../fuzz/dice.ts'
import { NAMES, prepareIn, type Visit } from './operations.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'
import { demandOldOrNew, demandTidy, type Outcome } from './verdict.ts'

/** Kills in total; whole: 200. */
const KILLS = size('KILLS', 13)

/** Milliseconds that each operation takes when it is not interrupted. */
async function durations(visit: Visit): Promise<Map<string, number>> {
  const took = new Map<string, number>()
  for (const [index, name] of NAMES.entries()) {
    const { operation, stage } = await prepareIn(visit, `calm${index}`, name)
    const began = performance.now()
    expect(await operation.act(visit), name).toBe(true)
    took.set(name, performance.now() - began)
    expect(await demandOldOrNew(operation, stage, true)).toBe('new')
    await rm(stage.disk, { recursive: true })
  }
  return took
}

test(`CRASH-02 CRASH-12 UPL-01 through ${KILLS} kills at random moments every file is old or new, and nothing is left behind`, async () => {
  let server: OwnServer = await startServer()
  onTestFinished(() => server.stop())
  const dice = new Dice(SEED)
  const visit = { server, owner: await person(server) }
  const took = await durations(visit)
  const outcomes: Record<string, Record<string, number>> = {}
  const count = (name: string, outcome: Outcome | 'acknowledged') => {
    const counts = outcomes[name] ?? {}
    outcomes[name] = { ...counts, [outcome]: (counts[outcome] ?? 0) + 1 }
  }
  for (let round = 0; round < KILLS; round++) {
    const name = NAMES[round % NAMES.length] ?? ''
    const { operation, stage } = await prepareIn(visit, `round${round}`, name)
    const acting = operation.act(visit)
    await new Promise(resolve => setTimeout(resolve, dice.roll() * 1.1 * (took.get(name) ?? 0)))
    await server.end('SIGKILL')
    const done = await acting
    const outcome = await demandOldOrNew(operation, stage, done)
    count(name, done ? 'acknowledged' : outcome)
    server = await startServer({ home: server.home, root: server.root })
    visit.server = server
    await operation.resume?.(visit)
    await demandOldOrNew(operation, stage, done)
    await demandTidy(operation, stage)
    await rm(stage.disk, { recursive: true })
  }
  report(`${KILLS} kills (seed ${SEED}); what was there right after each:`)
  for (const [name, counts] of Object.entries(outcomes)) report(`  ${name.padEnd(24)} ${JSON.stringify(counts)}`)
}, 3_600_000)
