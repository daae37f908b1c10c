import { expect, onTestFinished, test } from 'vitest'
import { person } from '../api/client.ts'
import { startServer } from '../api/harness.ts'
import { digest } from '../api/reachable.ts'
import { Dice } from '../fuzz/dice.ts'
import { type Actor, Ledger, operate } from './conserved.ts'
import { demandAgreement, demandConserved } from './demand-conserved.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'

const KILLS = size('CONSERVED_KILLS', 20)
/** Answers before a kill, at most. */
const ANSWERS = 40
/** Milliseconds from the last of these answers to the kill, at most. */
const SPAN = 20
const ACTORS = 4

test('HIST-01 through kills at random moments of random operations every content is there, but those deleted for good', async () => {
  let server = await startServer()
  onTestFinished(() => server.stop())
  const [dice, ledger] = [new Dice(SEED), new Ledger()]
  let compared = 0
  for (let round = 0; round < KILLS; round += 1) {
    const { home } = server
    const who = await person(server)
    let answers = 1 + dice.below(ANSWERS)
    const late = dice.below(SPAN)
    const killed = new Promise<void>(resolve => {
      ledger.answered = () => {
        answers -= 1
        if (answers === 0) setTimeout(() => resolve(server.end('SIGKILL').then(() => {})), late)
      }
    })
    // In new folders, since what the last operations before a kill did is not known.
    const actors: Actor[] = Array.from({ length: ACTORS }, (_, index) => ({
      ...{ server, who, ledger, folder: `/${round}-${index}`, items: new Map() },
      dice: new Dice(dice.below(2 ** 31)),
    }))
    const ended = await Promise.all(
      actors.map(async actor => {
        for (;;) {
          const failed = await operate(actor).then(
            () => undefined,
            (thrown: unknown) => thrown,
          )
          if (failed) return failed
        }
      }),
    )
    await killed
    expect(ended.filter(thrown => !(thrown instanceof TypeError))).toEqual([])
    server = await startServer({ home })
    await demandAgreement(server)
    compared += await demandConserved(server, ledger.copy(), new Set([...ledger.entries.keys()].map(digest)))
  }
  report(`killed ${KILLS} times: ${ledger.done} operations, ${compared} contents compared (seed ${SEED})`)
}, 3_600_000)
