import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { signIn } from '../api/client.ts'
import { entriesIn } from '../api/descriptors.ts'
import { launch, makeHome, type OwnServer, startServer } from '../api/harness.ts'
import { head, openSocket, parse, readAll } from '../api/raw.ts'
import type { Dice } from '../fuzz/dice.ts'

/** An older Node where `FILIGREE_OLD_NODE` names one; otherwise this one, which claims to be old. */
const OLD_NODE = process.env.FILIGREE_OLD_NODE
const AS_OLD = fileURLToPath(new URL('./old-node.mjs', import.meta.url))

/** The process that a user or a service manager started: the server itself, or a launcher that starts it. */
export const STARTERS = {
  server: [process.execPath],
  launcher: OLD_NODE === undefined ? [process.execPath, '--import', AS_OLD] : [OLD_NODE],
} as const satisfies Record<string, readonly string[]>

/** `launcher`: the started process; `group`: by one call; `each`: every process of the group, one after the other. */
export type Target = 'launcher' | 'server' | 'group' | 'each'

export interface Order {
  starter: keyof typeof STARTERS
  signals: readonly (readonly [NodeJS.Signals, Target])[]
}

export const PHASES = ['starting', 'idle', 'downloading', 'uploading'] as const
export type Phase = (typeof PHASES)[number]

/** `clean`, or `nothing begun`: a signal before the program runs ends it as signals do. Anything else is a fault. */
export type Ending = 'clean' | 'nothing begun' | string

const SIZE = 24 * 2 ** 20

/** Milliseconds after which a process counts as still running. */
const PATIENCE = 20_000

const to = (target: Target, ...signals: NodeJS.Signals[]): Order => ({
  starter: 'launcher',
  signals: signals.map(signal => [signal, target] as const),
})

const KINDS: readonly NodeJS.Signals[][] = [['SIGTERM'], ['SIGINT'], ['SIGTERM', 'SIGTERM'], ['SIGINT', 'SIGTERM']]

export const ORDERS: readonly Order[] = [
  ...[...KINDS, ['SIGHUP'] as NodeJS.Signals[]].map(signals => ({
    ...to('group', ...signals),
    starter: 'server' as const,
  })),
  ...(['launcher', 'server', 'group', 'each'] as const).flatMap(target => KINDS.map(signals => to(target, ...signals))),
  to('group', 'SIGQUIT'),
  {
    starter: 'launcher',
    signals: [
      ['SIGTERM', 'server'],
      ['SIGTERM', 'launcher'],
    ],
  },
  {
    starter: 'launcher',
    signals: [
      ['SIGTERM', 'launcher'],
      ['SIGKILL', 'launcher'],
    ],
  },
  to('launcher', 'SIGKILL'),
]

export const nameOf = ({ starter, signals }: Order): string =>
  `${starter}: ${signals.map(([signal, target]) => `${signal.slice(3)} → ${target}`).join(', ')}`

/** Starts, signals, and reports the result. */
export async function stop(order: Order, phase: Phase, dice: Dice): Promise<Ending> {
  const home = await makeHome()
  try {
    return phase === 'starting' ? await whileStarting(home, order, dice) : await whileServing(home, order, phase, dice)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

async function whileStarting(home: string, order: Order, dice: Dice): Promise<Ending> {
  const database = join(home, 'f.db')
  const args = ['--root', join(home, 'srv'), '--database', database, '--port', '0', '--address', '127.0.0.1']
  const span = await startTime(order.starter)
  const run = launch(args, { node: [...STARTERS[order.starter]], ownGroup: true })
  const leader = run.child.pid ?? Number.NaN
  await wait(dice.roll() * 1.1 * span)
  await send(leader, order, dice)
  const code = await endOf(leader, run.ended)
  const isBegun = existsSync(database)
  const wasEnded = order.signals.some(([signal]) => signal === code)
  return (wasEnded && !isBegun && lacks(leader, home)) || judge(order, code, leader, home)
}

const startTimes = new Map<string, Promise<number>>()

/** Milliseconds until a server responds; the longest of three. */
function startTime(starter: keyof typeof STARTERS): Promise<number> {
  const known = startTimes.get(starter) ?? measureStart(starter)
  startTimes.set(starter, known)
  return known
}

async function measureStart(starter: keyof typeof STARTERS): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const began = performance.now()
    const server = await startServer({ node: [...STARTERS[starter]] })
    times.push(performance.now() - began)
    await server.stop()
  }
  return Math.max(...times)
}

const lacks = (leader: number, home: string) => (leftOf(leader, home) === undefined ? 'nothing begun' : undefined)

async function whileServing(
  home: string,
  order: Order,
  phase: Exclude<Phase, 'starting'>,
  dice: Dice,
): Promise<Ending> {
  const server = await startServer({ home, node: [...STARTERS[order.starter]], ownGroup: true })
  const finish = phase === 'idle' ? async () => undefined : await TRANSFERS[phase](server)
  await send(server.pid, order, dice)
  await wait(dice.roll() * 300)
  const fault = await finish()
  // Signal 0 only checks whether it still runs.
  const code = await endOf(server.pid, server.end(0 as unknown as NodeJS.Signals))
  return fault ?? judge(order, code, server.pid, home)
}

/** Kills the whole group when that takes too long. */
async function endOf(leader: number, ended: Promise<number | string>): Promise<number | string> {
  const late = setTimeout(() => signalTo(-leader, 'SIGKILL'), PATIENCE)
  const began = performance.now()
  const code = await ended
  // An orphan closes its output some moments before it exits.
  while (groupOf(leader).length > 0 && performance.now() - began < PATIENCE) await wait(20)
  clearTimeout(late)
  return performance.now() - began > PATIENCE ? 'nothing: it runs on' : code
}

function judge(order: Order, code: number | string, leader: number, home: string): Ending {
  const isKilled = order.signals.some(([signal]) => signal === 'SIGKILL')
  if (code !== 0 && !(isKilled && code === 'SIGKILL')) return `ended with ${code}`
  return leftOf(leader, home) ?? 'clean'
}

/** Leftovers: processes, or the write-ahead log of a database that was not closed. */
function leftOf(leader: number, home: string): string | undefined {
  const open = readdirSync(home).filter(name => /-(wal|shm|journal)$/.test(name))
  if (open.length > 0) return `left ${open.join()}`
  const count = groupOf(leader).length
  return count > 0 ? `left ${count} processes` : undefined
}

/** Sends the signals at most some milliseconds apart. */
async function send(leader: number, { signals }: Order, dice: Dice): Promise<void> {
  for (const [signal, target] of signals) {
    await wait(dice.below(30))
    const pids = target === 'group' ? [-leader] : await pidsOf(leader, target, dice)
    for (const pid of pids) signalTo(pid, signal)
  }
}

async function pidsOf(leader: number, target: Target, dice: Dice): Promise<number[]> {
  if (target === 'launcher') return [leader]
  if (target === 'each') {
    const all = groupOf(leader)
    return dice.chance(0.5) ? all : all.toReversed()
  }
  for (let tries = 0; tries < 200 && groupOf(leader).length > 0; tries++) {
    const child = groupOf(leader).find(pid => pid !== leader)
    if (child !== undefined) return [child]
    await wait(5)
  }
  return []
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The live processes of a group. */
function groupOf(leader: number): number[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.map(Number).filter(pid => {
    try {
      const [state, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return Number(group) === leader && state !== 'Z'
    } catch {
      return false
    }
  })
}

/** Work in progress: starts it, and returns a function that lets it finish and reports faults. */
const TRANSFERS = {
  async downloading(server: OwnServer) {
    await writeFile(join(server.root, 'big.bin'), Buffer.alloc(SIZE, 'x'))
    const headers = { 'X-Auth': await signIn(server) }
    const socket = await openSocket(server)
    socket.write(head(server, { target: '/api/raw/big.bin', headers }))
    await new Promise(resolve => socket.once('readable', resolve))
    return async () => {
      const { body } = parse(await readAll(socket))
      return body.length === SIZE ? undefined : `cut a download after ${body.length}`
    }
  },
  async uploading(server: OwnServer) {
    const content = randomBytes(4_000_000)
    const headers = { 'X-Auth': await signIn(server), 'Content-Length': String(content.length) }
    const socket = await openSocket(server)
    socket.write(head(server, { method: 'POST', target: '/api/resources/new.bin', headers }))
    socket.write(content.subarray(0, 2_000_000))
    // The program that starts the server may be the leader of its group.
    const begun = () => Promise.all(groupOf(server.pid).map(pid => entriesIn(server.root, { pid })))
    await expect.poll(begun).toContain(1)
    return async () => {
      const received = readAll(socket)
      socket.write(content.subarray(2_000_000))
      const { status } = parse(await received)
      if (status !== 200) return `answered an upload with ${status}`
      const isWhole = (await readFile(join(server.root, 'new.bin'))).equals(content)
      return isWhole ? undefined : 'corrupted an upload'
    }
  },
} satisfies Record<string, (server: OwnServer) => Promise<() => Promise<string | undefined>>>
