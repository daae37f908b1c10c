import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Job } from '../../shared/api/jobs.ts'
import type { TrashPage } from '../../shared/api/trash.ts'
import { call, json, type Person, person } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { corner } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { EVERYTHING, enrol, PASSWORD } from '../api/people.ts'
import { type Actor, randomFrom, someOperations, type World } from '../api/random-operations.ts'
import { digest, reachable } from '../api/reachable.ts'
import { openConsole } from '../cli/console.ts'
import { SEED, size } from '../faults/sizes.ts'
import { ask, hasPostgres, sharedPostgres } from './postgres.ts'

const KILLS = size('CLUSTER_KILLS', 2)
/** Rounds of operations for each kill, and milliseconds from the beginning of one to the kill. */
const ROUNDS = 8
const SPAN = 60
const SETTLED_AFTER = 11 * 60_000
const MONTH = 31 * 86_400_000

/** Two servers on one database and one folder. The second one can be replaced. */
async function startPair(database: string): Promise<[OwnServer, OwnServer]> {
  const one = await startServer({ database })
  const other = await startServer({ database, root: one.root })
  onTestFinished(async () => {
    await Promise.all([one.stop(), other.stop()])
  })
  return [one, other]
}

/** Starts a server that has ended again, until the test ends. */
async function again({ database, root, home, port }: OwnServer, how: { database?: string } = {}): Promise<OwnServer> {
  const server = await startServer({ database, root, home, args: ['--port', String(port)], ...how })
  onTestFinished(() => server.stop())
  return server
}

const post = (server: OwnServer, { token }: Person, path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' }
  return call(server, path, { method: 'POST', token, headers, body: JSON.stringify(body) })
}

const trashOf = async (server: OwnServer, { token }: Person): Promise<TrashPage['items']> =>
  json(await call(server, '/api/trash', { token })).items

async function checked(server: OwnServer, ...more: string[]) {
  const shell = await openConsole(server.home)
  return shell.run('history', 'check', ...more, '-d', server.database)
}

describe.runIf(hasPostgres)('two servers on PostgreSQL', () => {
  let database = ''
  beforeAll(async () => {
    database = await (await sharedPostgres()).make()
  })

  test('TRASH-06 JRNL-04 keep what is deleted at once under one name, and undo a change once', async () => {
    const [one, other] = await startPair(database)
    const place = (n: number) => (n % 2 === 0 ? one : other)
    const admin = await person(one)
    const folders = Array.from({ length: 20 }, (_, n) => `${n < 10 ? 'a' : 'b'}/f${n}`)
    const contents: string[] = []
    const kept: string[] = []
    for (const folder of folders) await mkdir(join(one.root, folder), { recursive: true })
    for (let round = 0; round < 5; round += 1) {
      for (const folder of folders) {
        contents.push(`${round} ${folder}`)
        await writeFile(join(one.root, folder, 'same.txt'), `${round} ${folder}`)
      }
      const answers = await Promise.all(
        folders.map((folder, n) =>
          call(place(n + round), `/api/resources/${folder}/same.txt`, { method: 'DELETE', token: admin.token }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(folders.map(() => 204))
      kept.push(...answers.map(({ headers }) => headers.get('X-Kept') ?? ''))
    }
    expect(new Set(kept).size).toBe(100)
    const ids = [one, other].map((_, server) => kept.filter((_id, n) => n % 2 === server).map(id => ({ id })))
    for (let at = 0; at < 50; at += 10) {
      const answers = await Promise.all(
        ids.map((items, n) => post(place(n), admin, '/api/trash/restore', { items: items.slice(at, at + 10) })),
      )
      for (const { text } of answers) {
        const states = json({ text }).results.map(({ state }: { state: string }) => state)
        expect(states).toEqual(Array.from({ length: 10 }, () => 'done'))
      }
    }
    const there = await reachable(one, admin)
    expect(contents.filter(content => !there.has(digest(content)))).toEqual([])
    expect(await trashOf(other, admin)).toEqual([])

    await writeFile(join(one.root, 'undone.txt'), 'undone')
    const removed = await call(one, '/api/resources/undone.txt', { method: 'DELETE', token: admin.token })
    const first = removed.headers.get('X-Change') ?? ''
    const second = await person(other)
    const has = () => readFile(join(one.root, 'undone.txt'), 'utf8').catch(() => 'gone')
    let id = first
    for (let round = 0; round < 100; round += 1) {
      const answers = await Promise.all([
        post(one, admin, `/api/changes/${id}/undo`, {}),
        post(other, second, `/api/changes/${id}/undo`, {}),
      ])
      const results = answers.flatMap(answer => json(answer).results)
      expect(results.map(({ state }) => state).sort()).toEqual(['done', 'failed'])
      expect(results.find(({ state }) => state === 'failed').code).toBe('undone')
      expect(await has()).toBe(round % 2 === 0 ? 'undone' : 'gone')
      const change = answers.map(answer => json(answer).change).find(found => found !== undefined)
      id = round % 2 === 0 ? change : first
    }
  }, 900_000)

  test('CLU-H1 HIST-01 lose nothing of a shared folder while one of them is killed, and what is due expires once', async () => {
    let [one, other] = await startPair(await (await sharedPostgres()).make())
    const { path } = await corner(one)
    const names = ['pair-one', 'pair-two', 'pair-three']
    await enrol(
      one,
      names.map(name => ({ name, may: EVERYTHING, scope: path })),
    )
    const wires = [one, other, other]
    const people: Actor[] = await Promise.all(
      names.map(async (name, n) => {
        const wire = wires[n] ?? one
        return { wire, ...(await person(wire, name, PASSWORD)) }
      }),
    )
    const world: World = { random: randomFrom(SEED), purged: new Set(), written: new Set() }
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const isLast = round === ROUNDS - 1
        const running = someOperations(world, people).map(({ run }) => run().catch(demandCut))
        if (isLast) await new Promise(resolve => setTimeout(resolve, world.random() * SPAN))
        if (isLast) await other.end('SIGKILL')
        await Promise.all(running)
      }
      other = await again(other)
    }
    const [who] = people
    if (!who) throw new Error('there is no user')
    const jobs: Job[] = json(await jobsOf(one, who).list())
    await Promise.all(jobs.map(({ id }) => jobsOf(one, who).ended(id)))

    // As if the time had passed after which a server settles what another one left.
    await ask(one.database, `update kept set at = at - ${SETTLED_AFTER} where state in ('open', 'leaving')`)
    await who.put('/due.txt', 'due')
    const due = (await who.remove('/due.txt')).headers.get('X-Kept')
    await ask(one.database, `update kept set at = at - ${MONTH} where id = '${due}'`)
    await Promise.all([one.end(), other.end()])
    ;[one, other] = await Promise.all([again(one), again(other)])
    const open = () => ask(one.database, "select id from kept where state in ('open', 'leaving')")
    await expect.poll(open).toEqual([])
    const admin = await person(one)
    const expired = async () =>
      json(await call(other, '/api/audit?action=trash.expire', { token: admin.token })).rows.map(
        ({ target }: { target: string }) => target,
      )
    await expect.poll(expired).toEqual(['1'])
    expect(await checked(one)).toMatchObject({ code: 0, out: '' })
    const there = await reachable(other, who)
    const lost = [...world.written].filter(content => !there.has(content) && !world.purged.has(content))
    expect(lost, `seed ${SEED}`).toEqual([])
  }, 900_000)

  test('TRASH-14 find everything again with the database of yesterday, and check finds nothing the second time', async () => {
    const { make } = await sharedPostgres()
    let [one, other] = await startPair(await make())
    const contents = ['early', 'late one', 'late other', 'first', 'second']
    let admin = await person(one)
    const write = (server: OwnServer, path: string, body: string) =>
      call(server, `/api/resources/${path}?override=true`, { method: 'POST', token: admin.token, body })
    const remove = (server: OwnServer, path: string) =>
      call(server, `/api/resources/${path}`, { method: 'DELETE', token: admin.token })
    await write(one, 'early.txt', 'early')
    await remove(one, 'early.txt')
    await write(one, 'v.txt', 'first')
    await Promise.all([one.end(), other.end()])
    const yesterday = new URL(one.database)
    yesterday.pathname += '_yesterday'
    const server = new URL('/postgres', one.database).href
    await ask(
      server,
      `create database ${yesterday.pathname.slice(1)} template ${new URL(one.database).pathname.slice(1)}`,
    )
    ;[one, other] = await Promise.all([again(one), again(other)])
    admin = await person(one)
    await write(one, 'late.txt', 'late one')
    await remove(one, 'late.txt')
    await write(other, 'late.txt', 'late other')
    await remove(other, 'late.txt')
    await write(other, 'v.txt', 'second')
    await Promise.all([one.end(), other.end()])

    const old = { database: yesterday.href }
    ;[one, other] = await Promise.all([again(one, old), again(other, old)])
    admin = await person(other)
    const found = async (server: OwnServer) => (await trashOf(server, admin)).map(({ path }) => path).sort()
    for (const server of [one, other]) {
      await expect.poll(() => found(server)).toEqual(['/early.txt', '/late.txt', '/late.txt'])
    }
    const repaired = await Promise.all([checked(one, '--repair'), checked(other, '--repair')])
    expect(repaired.map(({ code }) => code)).toEqual([0, 0])
    expect(await checked(one, '--repair')).toMatchObject({ code: 0, out: '' })
    const there = await reachable(one, admin)
    expect(contents.filter(content => !there.has(digest(content)))).toEqual([])
    const items = (await trashOf(other, admin)).map(({ id }) => ({ id }))
    const { results } = json(await post(other, admin, '/api/trash/restore', { items }))
    expect(results.map(({ state }: { state: string }) => state)).toEqual(['done', 'done', 'done'])
  }, 900_000)
})

/** A killed server gives no answer. */
function demandCut(thrown: unknown): void {
  if (!(thrown instanceof TypeError)) throw thrown
}
