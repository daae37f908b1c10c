import { expect, test, vi } from 'vitest'
import { callsIn, judgeOf } from '../api/description.ts'
import { serve } from '../api/instance.ts'
import { type Attempt, makeAttempt } from './attempt.ts'
import { type Held, heldBy, leftOver } from './held.ts'
import { send } from './send.ts'
import { findFault, reproduction } from './verdict.ts'
import { buildWorld } from './world.ts'

/** `FILIGREE_FUZZ_SEED` and `FILIGREE_FUZZ_SECONDS` select other requests, or more of them (`npm run test:fuzz`). */
const SEED = Number(process.env.FILIGREE_FUZZ_SEED ?? 20_260_921)
const SECONDS = Number(process.env.FILIGREE_FUZZ_SECONDS ?? 10)
/** Minimum number of requests, whatever the time. */
const AT_LEAST = 1000
/** Requests by which every status below has been seen. */
const AT_MOST = 10_000
/** The requests are only of use while they are authenticated. */
const WANTED = [200, 204, 400, 401, 403, 404, 405, 409, 413, 415]
/** Concurrent requests. */
const AT_ONCE = 4
/** Requests after which the state is reset. */
const ROUND = 500
/** Maximum number of faults that are listed. */
const MOST_FAULTS = 5
const PATIENCE = (SECONDS + 300) * 1000

// One process for previews, from the start to the end.
const ARGS = ['--disableExec=false', '--execSandbox=none', '--logLevel', 'error', '--imageProcessors', '1']
const server = await serve({ args: ARGS })
const world = await buildWorld(server)
const judge = judgeOf(world.aims.document)
const calls = callsIn(world.aims.document)

const lastLine = async ({ log }: typeof server) => (await log()).trimEnd().split('\n').at(-1) ?? ''

test(`HTTP-12 no request causes an unexpected error, and all resources are released (seed ${SEED})`, {
  timeout: PATIENCE,
}, async () => {
  const until = Date.now() + SECONDS * 1000
  const statuses = new Map<number, number>()
  const faults: string[] = []
  let index = 0
  /** After the first round, when caches are warm. */
  let warm: Held | undefined
  /** A user can no longer sign in; the round ends. */
  let isLocked = false
  const attempt = async ({ ...made }: Attempt) => {
    const token = await world.tokenOf(made.who)
    isLocked ||= token === ''
    const outcome = await send(server, made, token)
    const fault = findFault(made, outcome, judge)
    const status = outcome.answer?.status ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 401 && made.call.operation.security) world.forgetToken(made.who)
    if (fault) faults.push(`${reproduction(server, SEED, made, fault, outcome)}\nlogged: ${await lastLine(server)}`)
  }
  const work = async (end: number) => {
    while (index < end && !isLocked && faults.length < MOST_FAULTS) {
      await attempt(makeAttempt(SEED, index++, calls, world.aims))
    }
  }
  const missing = () => WANTED.filter(status => !statuses.has(status))
  const isEnough = () => Date.now() >= until && index >= (missing().length > 0 ? AT_MOST : AT_LEAST)
  while (faults.length < MOST_FAULTS && !isEnough()) {
    const end = index + ROUND
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(end)))
    await world.restore()
    isLocked = false
    warm ??= await heldBy(server.pid, server.root)
  }
  expect(faults.join('\n\n')).toBe('')
  const before = warm ?? (await heldBy(server.pid, server.root))
  const isGivenBack = async () => leftOver(before, await heldBy(server.pid, server.root)).length === 0
  await vi.waitUntil(isGivenBack, { timeout: 60_000, interval: 500 }).catch(() => undefined)
  expect(leftOver(before, await heldBy(server.pid, server.root))).toEqual([])
  expect(missing()).toEqual([])
  expect(index).toBeGreaterThanOrEqual(AT_LEAST)
})
