import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { makeSecret } from '../../server/features/tokens/secret.ts'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { report } from '../faults/report.ts'
import { size } from '../faults/sizes.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

/** Wrong tokens, of which 100,000 a minute are sent from 1,000 networks. */
const TOKENS = size('WRONG_TOKENS', 20_000)
const [PER_SECOND, NETWORKS, BATCH] = [100_000 / 60, 1000, 50]
/** The share of this rate that the machine must reach for its times to count. */
const LEAST_SHARE = 0.8
/** Milliseconds between requests of others. */
const OTHERS_EVERY = 100
/** Milliseconds until the statistics of PostgreSQL have everything. */
const SETTLED = 2000

describe.runIf(hasPostgres)('a server on PostgreSQL', async () => {
  const database = await (await sharedPostgres()).make()
  const server = await serve({ database, args: ['--trustedProxies', '127.0.0.1'] })
  const user = await newcomer(server, await manager(server))
  const { token } = json(
    await send(server, 'POST', '/api/tokens', user.token, {
      ...{ label: 'x', scopes: ['read'], current_password: GOOD_PASSWORD },
    }),
  )

  /** Rows written so far in our tables; PostgreSQL itself writes statistics about them each minute. */
  async function written(): Promise<number> {
    await pause(SETTLED)
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    const columns = 'n_tup_ins + n_tup_upd + n_tup_del'
    const { rows } = await client.query(`select sum(${columns}) as n from pg_stat_user_tables`)
    await client.end()
    return Number(rows[0]?.n)
  }

  test(
    'PAT-10 refuses 100,000 wrong tokens a minute, answers others within a second, and writes next to nothing',
    async () => {
      const before = await written()
      const counts: Record<number, number> = {}
      const began = performance.now()
      let sent = 0
      const flood = async () => {
        while (sent < TOKENS) {
          const due = Math.min(TOKENS, Math.ceil(((performance.now() - began) / 1000) * PER_SECOND))
          const batch = Array.from({ length: Math.min(BATCH, due - sent) }, async () => {
            const network = sent++ % NETWORKS
            const address = `10.${network >> 8}.${network & 255}.7`
            const headers = { 'X-Forwarded-For': address }
            const { status } = await call(server, '/api/resources/', { headers, token: makeSecret() })
            counts[status] = (counts[status] ?? 0) + 1
          })
          await (batch.length === 0 ? pause(5) : Promise.all(batch))
        }
      }
      const floods = Promise.all([flood(), flood(), flood()])
      let isOver = false
      void floods.finally(() => {
        isOver = true
      })
      const times: number[] = []
      while (!isOver) {
        for (const own of [token, user.token]) {
          const at = performance.now()
          const { status } = await call(server, '/api/resources/', { token: own })
          times.push(performance.now() - at)
          expect(status).toBe(200)
        }
        await pause(OTHERS_EVERY)
      }
      await floods
      const seconds = (performance.now() - began) / 1000
      const writes = ((await written()) - before) / seconds
      const slowest = Math.max(...times)
      report(
        `${TOKENS} wrong tokens in ${seconds.toFixed(1)} s: ${JSON.stringify(counts)}; others at most ${slowest.toFixed()} ms, ${writes.toFixed(1)} rows written a second`,
      )
      expect(
        Object.keys(counts)
          .map(Number)
          .filter(status => ![401, 429].includes(status)),
      ).toEqual([])
      // A machine that cannot send so many says nothing about the wait of others.
      const isAtRate = TOKENS / seconds > PER_SECOND * LEAST_SHARE
      expect(isAtRate ? slowest : 0).toBeLessThan(1000)
      expect(writes).toBeLessThan(50)
    },
    TOKENS * 5 + 120_000,
  )
})
