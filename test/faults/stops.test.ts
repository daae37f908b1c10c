import { spawn } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { CHEAP, EXECUTABLE, makeHome } from '../api/harness.ts'
import { Dice } from '../fuzz/dice.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'
import { nameOf, ORDERS, PHASES, stop } from './stops.ts'

/** Number of stops; whole: 240. */
const STOPS = size('STOPS', 23)

test(`OPS-02 ${STOPS} stops by signals in every order are clean, and transfers are completed`, async () => {
  const cases = PHASES.flatMap((phase, shift) =>
    ORDERS.map((_, at) => [ORDERS[(at + shift) % ORDERS.length], phase] as const),
  )
  const table: Record<string, string[]> = {}
  const faults: string[] = []
  let next = 0
  const stopOneByOne = async () => {
    while (next < STOPS) {
      const round = next++
      // A step coprime to the number of cases: a few runs meet every order and every phase.
      const [order, phase] = cases[(round * 23) % cases.length] ?? []
      if (order === undefined || phase === undefined) return
      const ending = await stop(order, phase, new Dice(SEED + round))
      const key = `${nameOf(order).padEnd(48)} ${phase.padEnd(12)}`
      table[key] = [...(table[key] ?? []), ending]
      if (ending !== 'clean' && ending !== 'nothing begun') faults.push(`${key}: ${ending}`)
    }
  }
  // Most of a stop is waiting.
  await Promise.all([stopOneByOne(), stopOneByOne()])
  report(`${STOPS} stops (seed ${SEED}):`)
  for (const key of Object.keys(table).sort()) report(`  ${key} ${countsOf(table[key] ?? [])}`)
  expect(faults).toEqual([])
}, 3_600_000)

function countsOf(endings: readonly string[]): string {
  const kinds = [...new Set(endings)]
  return kinds.map(kind => `${endings.filter(ending => ending === kind).length} × ${kind}`).join(', ')
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('OPS-02 a server that npm started stops cleanly when npm is killed', async () => {
  const home = await makeHome()
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const flags = ['--root', join(home, 'srv'), '--database', join(home, 'f.db'), '--port', '0', '--address', '127.0.0.1']
  const npm = spawn('npm', ['start', '--', ...flags], {
    cwd: ROOT,
    env: { ...process.env, ...CHEAP },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  npm.stdout.on('data', chunk => {
    text += chunk
  })
  const ended = new Promise(resolve => npm.once('close', resolve))
  onTestFinished(() => endGroup(npm.pid))
  await expect.poll(() => text, { timeout: 120_000 }).toContain('  at http')
  npm.kill('SIGKILL')
  await ended
  expect((await readdir(home)).filter(name => /-(wal|shm)$/.test(name))).toEqual([])
})

test('OPS-02 a server that was started without a launcher continues when its parent ends', async () => {
  const home = await makeHome()
  const out = join(home, 'out')
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const flags = ['--root', join(home, 'srv'), '--database', join(home, 'f.db'), '--port', '0', '--address', '127.0.0.1']
  const words = ['-c', `"$@" > '${out}' 2>&1 &`, 'sh', process.execPath, EXECUTABLE, ...flags]
  const parent = spawn('sh', words, { env: { ...process.env, ...CHEAP }, detached: true, stdio: 'ignore' })
  onTestFinished(() => endGroup(parent.pid))
  await new Promise(resolve => parent.once('exit', resolve))
  const address = async () => /^ +at (http:\S+)$/m.exec(await readFile(out, 'utf8'))?.[1]
  await expect.poll(address).toBeDefined()
  for (let count = 0; count < 5; count++) {
    expect((await fetch(`${await address()}health`)).status).toBe(200)
    await wait(200)
  }
})

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // No leftovers.
  }
}
