import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, person } from '../api/client.ts'
import { startServer } from '../api/harness.ts'
import { Dice } from '../fuzz/dice.ts'
import { COUNTABLE, canInject, type Fault, injecting } from './inject.ts'
import { CHANGES, type Operation, prepareIn, Refusal, type Visit } from './operations.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'
import { demandOldOrNew, demandTidy } from './verdict.ts'

/** Number of faults; 0 injects one into the first, the second and so on of every call of every operation. */
const ATTEMPTS = size('INJECTIONS', 10)
/** After this many in a row the steps between the calls that are hit grow. */
const ONE_BY_ONE = 6
const CALLS = {
  write: 'pwrite64',
  sync: 'fsync,fdatasync',
  publish: 'rename,renameat,renameat2,link,linkat',
  direct: 'renameat2,linkat',
  remove: 'unlink,unlinkat,rmdir',
  make: 'mkdir,mkdirat',
} as const
const KILL = 'signal=SIGKILL'
const FAULTS: readonly [calls: keyof typeof CALLS, what: string][] = [
  ['write', 'error=ENOSPC'],
  ['write', 'error=EIO'],
  ['sync', 'error=EIO'],
  ['publish', 'error=EIO'],
  ['publish', 'error=ENOSPC'],
  ['publish', 'error=EXDEV'],
  ['publish', 'error=EACCES'],
  ['direct', 'error=EIO'],
  ['direct', 'error=EINVAL'],
  ['remove', 'error=EIO'],
  ['make', 'error=ENOSPC'],
  ['write', KILL],
  ['sync', KILL],
  ['publish', KILL],
  ['direct', KILL],
  ['remove', KILL],
  ['make', KILL],
]

/** One server after the other, since some faults end it. */
class Fixture {
  readonly visit: Visit
  #rounds = 0

  constructor(visit: Visit) {
    this.visit = visit
  }

  static async open(): Promise<Fixture> {
    const server = await startServer({ env: COUNTABLE })
    const fixture = new Fixture({ server, owner: await person(server) })
    onTestFinished(() => fixture.visit.server.stop())
    return fixture
  }

  /** Runs an operation with one fault in it. @returns whether the fault was hit */
  async attempt(name: string, [calls, what]: (typeof FAULTS)[number], nth: number): Promise<boolean> {
    const { visit } = this
    const { stage, operation } = await prepareIn(visit, `round${this.#rounds++}`, name)
    // Direct calls run on the main thread.
    const fault: Fault = { calls: CALLS[calls], what, nth, main: calls === 'direct' }
    const { hit, result } = await injecting(visit.server.pid, fault, () => outcomeOf(operation, visit))
    const hint = `${name}, ${what} at ${calls} ${nth}`
    await demandOldOrNew(operation, stage, result === 'done').catch(explain(hint))
    if (what === KILL) await this.#restart()
    else await call(visit.server, '/health').catch(explain(`${hint}: ${visit.server.output()}`))
    await operation.resume?.(visit)
    await demandOldOrNew(operation, stage, false).catch(explain(hint))
    // What could not be deleted is retried later, by a sweep that takes its time.
    if (calls !== 'remove' || what === KILL) await demandTidy(operation, stage).catch(explain(hint))
    if (hit && (calls === 'write' || calls === 'sync')) expect(result, hint).not.toBe('done')
    await rm(stage.disk, { recursive: true })
    return hit || result === 'cut off'
  }

  async #restart(): Promise<void> {
    const { server } = this.visit
    await server.end('SIGKILL')
    this.visit.server = await startServer({ home: server.home, root: server.root, env: COUNTABLE })
  }
}

const explain = (hint: string) => (thrown: unknown) => {
  throw new Error(hint, { cause: thrown })
}

async function outcomeOf(operation: Operation, visit: Visit): Promise<'done' | 'cut off' | number> {
  try {
    return (await operation.act(visit)) ? 'done' : 'cut off'
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.status
    throw thrown
  }
}

async function sweepAll(fixture: Fixture, count: (hit: boolean) => void): Promise<void> {
  for (const fault of FAULTS) {
    for (const name of CHANGES) {
      for (let nth = 1, hit = true; hit; nth += nth < ONE_BY_ONE ? 1 : 2 * ONE_BY_ONE) {
        hit = await fixture.attempt(name, fault, nth)
        count(hit)
      }
    }
  }
}

describe.runIf(canInject)('failing system calls', () => {
  test('CRASH-03 CRASH-04 CRASH-07 CRASH-08 CRASH-10 MOVE-03 whichever write, sync or rename fails or is the last, every file is old or new', async () => {
    const fixture = await Fixture.open()
    const met = { tried: 0, hit: 0 }
    const count = (hit: boolean) => {
      met.tried += 1
      met.hit += hit ? 1 : 0
    }
    const dice = new Dice(SEED)
    if (ATTEMPTS === 0) await sweepAll(fixture, count)
    for (let index = 0; index < ATTEMPTS; index++) {
      count(await fixture.attempt(dice.pick(CHANGES), dice.pick(FAULTS), 1 + dice.below(6)))
    }
    report(`${met.tried} operations with an injected fault in a system call, ${met.hit} of them hit it (seed ${SEED})`)
    expect(met.hit).toBeGreaterThan(0)
  }, 7_200_000)
})
