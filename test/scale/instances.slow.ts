import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, call, encode, json, person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { offsetOf, tusOf } from '../api/tus.ts'
import { hasNginx } from '../faults/nginx.ts'
import { NAMES, prepareIn, Refusal } from '../faults/operations.ts'
import { report } from '../faults/report.ts'
import { SEED, size } from '../faults/sizes.ts'
import { demandOldOrNew } from '../faults/verdict.ts'
import { Dice } from '../fuzz/dice.ts'
import { type Instances, listen, startInstances, toItsEnd } from './instances.ts'
import { hasPostgres, sharedPostgres, startPostgres } from './postgres.ts'

/** Kills in total. */
const KILLS = size('KILLS', 36)
/** Seconds that the database is unavailable. */
const AWAY = size('AWAY', 60)
const PIECE = 200_000

/** Resumes an upload as clients do: after a failure it asks for the offset. */
async function uploadAll({ behind, owner }: Instances, path: string, content: Buffer<ArrayBuffer>): Promise<number> {
  const tus = tusOf(behind, owner)
  let failures = 0
  for (let offset = 0; offset < content.length; ) {
    const answer = await tus.patch(path, offset, content.subarray(offset, offset + PIECE)).catch(() => undefined)
    if (answer?.status === 204) {
      offset = Number(offsetOf(answer))
      continue
    }
    failures += 1
    await pause(200)
    const state = await tus.head(path).catch(() => undefined)
    if (state?.status === 200) offset = Number(offsetOf(state))
    else if (state?.status === 404) return failures
  }
  return failures
}

describe.runIf(hasPostgres && hasNginx)('several servers behind a balancer', async () => {
  const postgres = await sharedPostgres()

  test('sign in at one, upload in chunks through another, see it live at a third, end the session everywhere', async () => {
    const { servers, behind } = await startInstances(await postgres.make())
    const [one, other, third] = servers
    if (!one || !other || !third) throw new Error('There are three.')
    const owner = await person(one)
    const heard = listen(third, owner, '/')
    const content = randomBytes(900_000)
    expect((await tusOf(other, owner).create('/live.bin', content.length)).status).toBe(201)
    for (let offset = 0; offset < content.length; offset += PIECE) {
      const at = servers[(offset / PIECE) % 3] ?? other
      const piece = content.subarray(offset, offset + PIECE)
      expect((await tusOf(at, owner).patch('/live.bin', offset, piece)).status).toBe(204)
    }
    await expect.poll(() => heard.text).toContain('event: folder')
    expect((await owner.raw('/live.bin')).bytes.equals(content)).toBe(true)
    expect((await call(third, '/api/logout', { method: 'POST', token: owner.token })).status).toBe(204)
    const everywhere = await Promise.all(
      [...servers, behind].map(at => call(at, '/api/renew', { method: 'POST', token: owner.token })),
    )
    expect(everywhere.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  test(`through ${KILLS} kills of the acting one, every file is old or new, and the others continue`, async () => {
    const instances = await startInstances(await postgres.make())
    const { servers, behind, owner } = instances
    const dice = new Dice(SEED)
    const messages: Record<string, string[]> = {}
    for (let round = 0; round < KILLS; round++) {
      const name = NAMES[round % NAMES.length] ?? ''
      const victim = round % servers.length
      const { operation, stage } = await prepareIn({ server: behind, owner }, `round${round}`, name)
      const acting = operation.act({ server: servers[victim] ?? behind, owner })
      await pause(dice.roll() * 400)
      await instances.kill(victim)
      const done = await acting
      const outcome = await demandOldOrNew(operation, stage, done)
      messages[name] = [...(messages[name] ?? []), done ? 'acknowledged' : outcome]
      await operation.resume?.({ server: behind, owner })
      const atLast = await demandOldOrNew(operation, stage, done || name === 'upload in pieces')
      if (name.startsWith('job') && outcome !== 'old') expect(atLast).toBe('new')
      await instances.replace(victim)
    }
    for (const [name, outcomes] of Object.entries(messages)) report(`  ${name.padEnd(24)} ${outcomes.join(', ')}`)
  }, 1_800_000)

  test('uploads and jobs resume through restarts of the database, and each job ends once', async () => {
    const own = await ownPostgres()
    const instances = await startInstances(await own.make())
    const { behind, owner, servers } = instances
    const { operation, stage } = await prepareIn({ server: behind, owner }, 'tree', 'job: copy a folder')
    const content = randomBytes(8_000_000)
    expect((await tusOf(behind, owner).create('/big.bin', content.length)).status).toBe(201)
    const uploading = uploadAll(instances, '/big.bin', content)
    const acting = operation.act({ server: behind, owner }).catch(refusedFor503)
    for (let restart = 0; restart < 3; restart++) {
      await own.down()
      await own.up()
      await pause(700)
    }
    const failures = await uploading
    await acting
    await operation.resume?.({ server: behind, owner })
    expect((await readFile(join(servers[0]?.root ?? '', 'big.bin'))).equals(content)).toBe(true)
    expect(['old', 'new']).toContain(await demandOldOrNew(operation, stage, false))
    report(`  pieces that had to be sent again: ${failures}`)
  }, 600_000)

  test(`the database unavailable for ${AWAY} seconds: 503 with Retry-After, nothing half published, and everything recovers`, async () => {
    const own = await ownPostgres()
    const { behind, owner, servers } = await startInstances(await own.make())
    const contents = new Map<string, Buffer>()
    const put = async (name: string): Promise<Answer> => {
      const content = randomBytes(100_000)
      contents.set(name, content)
      return call(behind, `/api/resources${encode(name)}`, { method: 'POST', token: owner.token, body: content })
    }
    expect((await put('/before.bin')).status).toBe(200)
    await own.down()
    const until = Date.now() + AWAY * 1000
    for (let round = 0; Date.now() < until; round++) {
      const answers = await Promise.all([put(`/away${round}.bin`), owner.get('/'), jobsOf(behind, owner).list()])
      for (const { status, headers } of answers) expect([status, headers.get('retry-after')]).toEqual([503, '3'])
      await pause(500)
    }
    const asked = await call(behind, '/health')
    expect(asked.status).toBe(200)
    await own.up()
    await expect.poll(async () => (await owner.get('/')).status).toBe(200)
    const names = json(await owner.get('/')).items.map((item: { path: string }) => item.path)
    expect(names).toEqual(['/before.bin'])
    for (const server of servers)
      expect((await call(server, '/api/resources/', { token: owner.token })).status).toBe(200)
    expect((await put('/after.bin')).status).toBe(200)
  }, 600_000)

  test('the state moves to PostgreSQL and back with its sessions, but not while a server runs', async () => {
    const first = await serve()
    const owner = await person(first)
    const isIn = async (server: OwnServer) => (await call(server, '/api/resources/', { token: owner.token })).status
    const there = await postgres.make()
    const back = `${first.database}.back`
    const move = (from: string, to: string) => toItsEnd(['migrate-store', '--from', from, '--to', to])
    expect(await move(`sqlite:${first.database}`, there)).toMatchObject({ code: 1 })
    await first.end()
    const moved = await move(`sqlite:${first.database}`, there)
    expect(moved).toMatchObject({ code: 0, output: expect.stringMatching(/^users +1$/m) })
    expect(moved.output).not.toContain(new URL(there).password)
    const second = await serve({ database: there, root: first.root })
    expect(await isIn(second)).toBe(200)
    expect(await move(there, `sqlite:${back}`)).toMatchObject({
      code: 1,
      output: expect.stringContaining('Servers work with'),
    })
    await second.end()
    expect(await move(there, `sqlite:${back}`)).toMatchObject({ code: 0 })
    expect(await isIn(await serve({ database: back, root: first.root }))).toBe(200)
    expect(await move(there, `sqlite:${back}`)).toMatchObject({ code: 1 })
  })

  test('one serves and another works, by their roles', async () => {
    const { servers, owner, kill, replace } = await startInstances(await postgres.make(), ['web', 'worker'])
    const [web, worker] = servers
    if (!web || !worker) throw new Error('There are two.')
    await owner.put('/a.txt', 'a')
    const copy = (to: string) => jobsOf(web, owner).run({ kind: 'copy', items: [{ from: '/a.txt', to }] })
    expect(await copy('/b.txt')).toMatchObject({ state: 'done' })
    expect((await call(worker, '/health')).status).toBe(200)
    expect((await call(worker, '/api/resources/', { token: owner.token })).status).toBe(404)
    await kill(1)
    const waiting = json(
      await jobsOf(web, owner).ask({
        kind: 'copy',
        items: [{ from: '/a.txt', to: '/c.txt' }],
        runAt: new Date().toISOString(),
      }),
    )
    expect(waiting.state).toBe('waiting')
    await replace(1)
    expect(await jobsOf(web, owner).ended(waiting.id)).toMatchObject({ state: 'done' })
  })
})

/** A server for one test, which may be killed. */
async function ownPostgres() {
  const own = await startPostgres()
  onTestFinished(() => own.stop())
  return own
}

/** Refusals for want of the database are expected then. */
function refusedFor503(thrown: unknown): false {
  if (thrown instanceof Refusal && thrown.status >= 500) return false
  throw thrown
}
