import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findSandbox } from '../../server/sandbox/sandbox.ts'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { startCommand } from '../api/command-client.ts'
import { startServer } from '../api/harness.ts'
import { corner } from '../api/instance.ts'
import { Dice } from '../fuzz/dice.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'

/** Kills in total; whole: 100. */
const KILLS = size('COMMANDS', 4)
/** Denied folders, each of which delays the start of the sandbox a little. */
const DENIED = 100
/** The processes with this argument, by the names of their programs. */
const whoRuns = (word: string): string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => wordsOf(pid))
    .filter(words => words.includes(word))
    .map(([program = '']) => program)

function wordsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

describe.runIf(findSandbox('bubblewrap', { PATH: process.env.PATH ?? '' }, tmpdir()).state === 'bubblewrap')(
  'in the sandbox',
  () => {
    test(`CMD-07 a command ends with its server, which is killed in its first moments ${KILLS} times`, async () => {
      const args = ['--disableExec=false']
      let server = await startServer({ args })
      onTestFinished(() => server.stop())
      const { path: scope, disk } = await corner(server)
      const denied = Array.from({ length: DENIED }, (_, index) => `denied${index}`)
      await Promise.all(denied.map(name => mkdir(join(disk, name))))
      const rules = denied.map(name => ({ path: `/${name}` }))
      const fields = { scope, rules, perm: perm('execute'), commands: ['sleep'] }
      const { token } = await newcomer(server, await manager(server), fields)
      const calm = '8.12345'
      const began = performance.now()
      const { socket } = await startCommand(server, `sleep ${calm}`, { token })
      await expect.poll(() => whoRuns(calm).at(-1), { interval: 2 }).toMatch(/sleep$/)
      const span = 1.2 * (performance.now() - began)
      socket.terminate()
      const dice = new Dice(SEED)
      const met: Record<string, number> = {}
      for (let round = 0; round < KILLS; round += 1) {
        const seconds = `9${round}.${Math.random().toString().slice(2, 9)}`
        await startCommand(server, `sleep ${seconds}`, { token })
        await sleep(dice.roll() * span)
        const found = whoRuns(seconds).at(-1)?.replace(/.*\//, '') ?? 'nothing'
        met[found] = (met[found] ?? 0) + 1
        await server.end('SIGKILL')
        await expect.poll(() => whoRuns(seconds)).toEqual([])
        server = await startServer({ args, home: server.home, root: server.root })
      }
      report(
        `${KILLS} kills of a server (seed ${SEED}) that had just started a command; what ran by then: ${JSON.stringify(met)}`,
      )
    }, 600_000)
  },
)
