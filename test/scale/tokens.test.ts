import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { tusOf } from '../api/tus.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

/** Files of a job: too many to copy before the token ends. */
const FILES = 16_000
/** Pieces of an upload, of a mebibyte each. */
const PIECES = 32
/** Within which everything must have ended, also on a slow machine, in milliseconds. */
const LATEST = 15_000

describe.runIf(hasPostgres)('PAT-04 an API token that one server ends', async () => {
  const postgres = await sharedPostgres()
  const database = await postgres.make()
  const one = await serve({ database })
  const other = await serve({ database, root: one.root })
  const admin = await manager(one)
  const big = Buffer.alloc(64 * 1024 * 1024)
  await writeFile(join(one.root, 'big.bin'), big)

  /** A new token, and a function that ends it at the first server, from which on the time counts. */
  async function make() {
    const perm = { ...ALL_PERMISSIONS, admin: false, execute: false }
    const { token: session } = await newcomer(one, admin, { perm })
    const body = { label: 'x', scopes: ['write'], current_password: GOOD_PASSWORD }
    const { id, token } = json(await send(one, 'POST', '/api/tokens', session, body))
    const end = async () => {
      expect((await call(one, `/api/tokens/${id}`, { method: 'DELETE', token: session })).status).toBe(204)
      const began = performance.now()
      return () => expect(performance.now() - began).toBeLessThan(LATEST)
    }
    return { token, session, end }
  }

  test('cuts off its downloads and events at the other, and is refused there', async () => {
    const { token, end } = await make()
    const headers = { Authorization: `Bearer ${token}` }
    const download = await fetch(`${other.url}/api/raw/big.bin`, { headers })
    const events = await fetch(`${other.url}/api/events?folder=/`, { headers })
    expect([download.status, events.status]).toEqual([200, 200])
    const demandSoon = await end()
    await Promise.all([expect(download.arrayBuffer()).rejects.toThrow(), expect(events.text()).rejects.toThrow()])
    demandSoon()
    expect((await call(other, '/api/resources/', { token })).status).toBe(401)
  })

  test('takes no further piece of its uploads at the other, which the account completes', async () => {
    const { token, session, end } = await make()
    const [own, account] = [tusOf(other, { token }), tusOf(other, { token: session })]
    expect((await own.create('/pieces.txt', 4)).status).toBe(201)
    expect((await own.patch('/pieces.txt', 0, 'ab')).status).toBe(204)
    const demandSoon = await end()
    expect((await own.patch('/pieces.txt', 2, 'cd')).status).toBe(401)
    demandSoon()
    expect((await account.patch('/pieces.txt', 2, 'cd')).status).toBe(204)
    expect(await readFile(join(one.root, 'pieces.txt'), 'utf8')).toBe('abcd')
  })

  test('publishes nothing of an upload that is being sent to the other', async () => {
    const { token, end } = await make()
    const { promise: underWay, resolve: isUnderWay } = Promise.withResolvers<void>()
    const { promise: ended, resolve: isEnded } = Promise.withResolvers<void>()
    let pieces = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        pieces += 1
        controller.enqueue(Buffer.alloc(1024 * 1024))
        if (pieces < PIECES) return
        // More than sockets hold: the server has begun to read.
        isUnderWay()
        await ended
        controller.close()
      },
    })
    const headers = { Authorization: `Bearer ${token}` }
    const sent = fetch(`${other.url}/api/resources/sent.bin`, {
      ...{ method: 'POST', body, duplex: 'half', headers },
    } as RequestInit).then(
      ({ status }) => status,
      () => 'cut off',
    )
    await underWay
    const demandSoon = await end()
    isEnded()
    expect([401, 403, 'cut off']).toContain(await sent)
    demandSoon()
    expect(await readdir(one.root)).not.toContain('sent.bin')
  })

  test('stops a job that it ordered at the other', async () => {
    const { token, session, end } = await make()
    const folder = join(one.root, 'many')
    await mkdir(folder)
    for (let file = 0; file < FILES; file += 1) await writeFile(join(folder, `${file}.txt`), 'x')
    const items = [{ from: '/many', to: '/copied' }]
    const job = json(await send(other, 'POST', '/api/jobs', token, { kind: 'copy', items }))
    const jobs = jobsOf(other, { token: session })
    const entries = async () => json(await jobs.get(job.id)).progress?.entries ?? 0
    await expect.poll(entries, { interval: 5 }).toBeGreaterThan(0)
    const demandSoon = await end()
    expect(await jobs.ended(job.id)).toMatchObject({ state: 'cancelled', code: 'session_ended' })
    demandSoon()
    expect(await readdir(one.root)).not.toContain('copied')
  })
})
