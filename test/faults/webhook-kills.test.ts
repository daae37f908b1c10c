import { expect, onTestFinished, test, vi } from 'vitest'
import { call, signIn } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { Dice } from '../fuzz/dice.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { recordedPaths } from '../webhooks/recorded.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'

/** Kills in total; whole: 200. */
const KILLS = size('WEBHOOK_KILLS', 3)
/** Operations of which some are recorded, and some events sent, when the server is killed. */
const OPERATIONS = 12
const ARGS = ['--webhookNetworks', '127.0.0.1']

test(`WH-08 through ${KILLS} kills at random moments each row of the audit log arrives once or more, and nothing else does`, async () => {
  let server: OwnServer = await startServer({ args: ARGS })
  onTestFinished(() => server.stop())
  const receiver = await startReceiver()
  const token = await signIn(server)
  const body = JSON.stringify({ name: 'x', url: receiver.url, types: ['file.uploaded', 'folder.created'] })
  expect((await call(server, '/api/webhooks', { method: 'POST', token, body })).status).toBe(201)
  const dice = new Dice(SEED)
  const act = (path: string) =>
    call(server, `/api/resources/${path}`, { method: 'POST', token, body: 'content' }).catch(() => {})
  const act12 = (round: number) =>
    Array.from({ length: OPERATIONS }, (_, at) => act(`${round}-${at}${at % 4 ? '' : '/'}`))
  const began = performance.now()
  await Promise.all(act12(0))
  const took = performance.now() - began
  const sentAtKills: number[] = []
  for (let round = 1; round <= KILLS; round++) {
    const before = receiver.received.length
    const acting = act12(round)
    await new Promise(resolve => setTimeout(resolve, dice.roll() * 1.2 * took))
    await server.end('SIGKILL')
    await Promise.all(acting)
    sentAtKills.push(receiver.received.length - before)
    server = await startServer({ args: ARGS, home: server.home, root: server.root })
  }
  const heard = () => new Set(receiver.received.map(({ body: text }) => JSON.parse(text).data.path as string))
  const rows = await recordedPaths(server.database)
  await vi.waitFor(() => expect(heard()).toEqual(rows), { timeout: 120_000, interval: 500 })
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(rows.size)
  report(`${KILLS} kills (seed ${SEED}): ${rows.size} rows, ${ids.length} calls; sent before each kill: ${sentAtKills}`)
}, 3_600_000)
