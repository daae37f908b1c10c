import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { call, signIn } from '../api/client.ts'
import { makeHome, type OwnServer, startServer } from '../api/harness.ts'
import { report } from '../faults/report.ts'
import { SEED, size } from '../faults/sizes.ts'
import { Dice } from '../fuzz/dice.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { recordedPaths } from '../webhooks/recorded.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

/** Kills in total; whole: 200. */
const KILLS = size('WEBHOOK_KILLS', 3)
/** Operations at each server of which some are recorded, and some events sent, when one of them is killed. */
const OPERATIONS = 8
const ARGS = ['--webhookNetworks', '127.0.0.1']

test.runIf(hasPostgres)(
  `WH-08 with two servers on one database, through ${KILLS} kills of either, each row of the audit log arrives once or more, and nothing else does`,
  async () => {
    const database = await (await sharedPostgres()).make()
    const home = await makeHome()
    const start = (more = {}) => startServer({ args: ARGS, database, root: join(home, 'srv'), ...more })
    const servers: [OwnServer, OwnServer] = [await start(), await start()]
    onTestFinished(async () => {
      for (const server of servers) await server.stop()
      await rm(home, { recursive: true })
    })
    const receiver = await startReceiver()
    const token = await signIn(servers[0])
    const body = JSON.stringify({ name: 'x', url: receiver.url, types: ['file.uploaded', 'folder.created'] })
    expect((await call(servers[0], '/api/webhooks', { method: 'POST', token, body })).status).toBe(201)
    const dice = new Dice(SEED)
    const act = (server: OwnServer, path: string) =>
      call(server, `/api/resources/${path}`, { method: 'POST', token, body: 'content' }).catch(() => {})
    const actAtBoth = (round: number) =>
      servers.flatMap((server, at) =>
        Array.from({ length: OPERATIONS }, (_, index) => act(server, `${round}-${at}-${index}${index % 4 ? '' : '/'}`)),
      )
    const began = performance.now()
    await Promise.all(actAtBoth(0))
    const took = performance.now() - began
    for (let round = 1; round <= KILLS; round += 1) {
      const acting = actAtBoth(round)
      await pause(dice.roll() * 1.2 * took)
      const victim = dice.below(2) as 0 | 1
      await servers[victim].end('SIGKILL')
      await Promise.all(acting)
      servers[victim] = await start({ home: servers[victim].home })
    }
    const heard = () => new Set(receiver.received.map(({ body: text }) => JSON.parse(text).data.path as string))
    const rows = await recordedPaths(database)
    await vi.waitFor(() => expect(heard()).toEqual(rows), { timeout: 180_000, interval: 500 })
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(rows.size)
    report(`two servers, ${KILLS} kills (seed ${SEED}): ${rows.size} rows, ${ids.length} calls`)
  },
  3_600_000,
)
