import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, call, json, type Person, person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { offsetOf, tusOf } from '../api/tus.ts'
import { ask, hasPostgres, type Postgres, sharedPostgres, startPostgres } from './postgres.ts'
import { startDatabaseRelay } from './relay.ts'

const HALF = Buffer.from('half')
const mayMount = process.getuid?.() === 0

/** A database owned by an unprivileged role, and a server on it with a file and half of an upload. */
async function start(on: Pick<Postgres, 'address'>, options = ''): Promise<Fixture> {
  const { address: root } = on
  const [name, password] = [`test_${randomBytes(6).toString('hex')}`, randomBytes(6).toString('hex')]
  const chief = (sql: string) => ask(new URL('/postgres', root).href, sql)
  await chief(`create role ${name} login password '${password}'`)
  await chief(`create database ${name} template template0 owner ${name} ${options}`)
  const own = new URL(`/${name}`, root)
  const database = Object.assign(new URL(own), { username: name, password }).href
  return { name, password, chief, address: own.href, database }
}

interface Fixture {
  /** The URL for the owner of the database. */
  name: string
  password: string
  /** Runs a query as the administrator. */
  chief(sql: string): Promise<unknown>
  /** The URL for the administrator. */
  address: string
  /** Runs a query as its owner. */
  database: string
}

interface Served {
  server: OwnServer
  owner: Person
  /** Some concurrent requests, by name. */
  tryAll(round: string): Promise<Record<string, Answer>>
  /** The entries of the root. */
  names(): Promise<string[]>
}

async function serveOn(database: string): Promise<Served> {
  const server = await serve({ database })
  const owner = await person(server)
  await owner.put('/a.txt', 'old')
  await tusOf(server, owner).create('/up.bin', 2 * HALF.length)
  await tusOf(server, owner).patch('/up.bin', 0, HALF)
  const write = (path: string) =>
    call(server, `/api/resources${path}`, { method: 'POST', token: owner.token, body: 'content' })
  return {
    server,
    owner,
    async tryAll(round) {
      const operations: Record<string, Promise<Answer>> = {
        list: owner.get('/'),
        upload: write(`/${round}.txt`),
        'begin an upload': tusOf(server, owner).create(`/${round}.bin`, 9),
        'copy by a job': jobsOf(server, owner).ask({ kind: 'copy', items: [{ from: '/a.txt', to: `/${round}.copy` }] }),
      }
      const entries = Object.entries(operations).map(async ([name, operation]) => [name, await operation] as const)
      return Object.fromEntries(await Promise.all(entries))
    },
    names: async () => json(await owner.get('/')).items.map(({ name }: { name: string }) => name),
  }
}

/** Refusals are 503 with `Retry-After`; all other requests succeeded. */
function demandKind(answers: Record<string, Answer>, other?: number): void {
  for (const [name, { status, headers }] of Object.entries(answers)) {
    const isSaid = status < 300 || status === other || (status === 503 && Number(headers.get('retry-after')) > 0)
    expect([name, status, isSaid]).toEqual([name, status, true])
  }
}

/** Everything works again, without a restart, and exactly what was acknowledged exists. */
async function demandAllWork({ server, owner, tryAll, names }: Served, done: readonly string[]): Promise<void> {
  await expect.poll(async () => (await tryAll('once more'))['begin an upload']?.status, { timeout: 60_000 }).toBe(201)
  const known = new Set(['a.txt', 'once more.txt', 'once more.copy', ...done])
  expect((await names()).filter(name => !known.has(name))).toEqual([])
  expect(offsetOf(await tusOf(server, owner).head('/up.bin'))).toBe(String(HALF.length))
  expect((await tusOf(server, owner).patch('/up.bin', HALF.length, HALF)).status).toBe(204)
  expect((await owner.raw('/up.bin')).text).toBe('halfhalf')
}

describe.runIf(hasPostgres)('a database in trouble', () => {
  test('with a delay of a second makes responses slow, and nothing else', async () => {
    const relay = await startDatabaseRelay((await start(await sharedPostgres())).database)
    const served = await serveOn(relay.address)
    relay.slow(1000)
    const answers = await served.tryAll('slow')
    expect(Object.values(answers).map(({ status }) => status)).toEqual([200, 200, 201, expect.toSatisfy(s => s < 300)])
    relay.slow(0)
    await demandAllWork(served, ['slow.txt', 'slow.copy'])
  })

  test('with connections that die silently: 503 with `Retry-After`, and new ones are made', async () => {
    const relay = await startDatabaseRelay((await start(await sharedPostgres())).database)
    const served = await serveOn(relay.address)
    relay.freeze()
    demandKind(await served.tryAll('frozen'))
    await demandAllWork(served, ['frozen.txt', 'frozen.copy'])
  })

  const TROUBLES: readonly (readonly [name: string, begin: (on: Fixture) => string, end: (on: Fixture) => string])[] = [
    [
      'that takes no more connections',
      ({ name }) => `alter role ${name} connection limit 0`,
      ({ name }) => `alter role ${name} connection limit -1`,
    ],
    [
      'with another password',
      ({ name }) => `alter role ${name} password 'other'`,
      ({ name, password }) => `alter role ${name} password '${password}'`,
    ],
    [
      'that refuses the sign-in',
      ({ name }) => `alter database ${name} allow_connections false`,
      ({ name }) => `alter database ${name} allow_connections true`,
    ],
    [
      'that may only be read',
      ({ name }) => `alter database ${name} set default_transaction_read_only = on`,
      ({ name }) => `alter database ${name} reset default_transaction_read_only`,
    ],
  ]

  test.each(TROUBLES)(
    '%s: 503 with `Retry-After`, nothing is half done, and everything recovers',
    async (_, begin, end) => {
      const fixture = await start(await sharedPostgres())
      const served = await serveOn(fixture.database)
      await fixture.chief(begin(fixture))
      await fixture.chief(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${fixture.name}'`)
      const done: string[] = []
      for (const round of ['first', 'second']) {
        const answers = await served.tryAll(round)
        demandKind(answers)
        expect(answers['begin an upload']?.status).toBe(503)
        if (answers.upload?.status === 200) done.push(`${round}.txt`)
      }
      await fixture.chief(end(fixture))
      await demandAllWork(served, done)
    },
  )

  test.runIf(mayMount)(
    'on a full disk is reported, nothing is half done, and everything recovers when there is space',
    async () => {
      const disk = await mkdtemp(join(tmpdir(), 'filigree-full-'))
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk])
      execFileSync('chown', ['postgres', disk])
      onTestFinished(async () => {
        execFileSync('umount', ['--lazy', disk])
        await rm(disk, { recursive: true })
      })
      // A server of its own: it could not restart without the disk.
      const own = await startPostgres()
      onTestFinished(() => own.stop())
      await ask(new URL('/postgres', own.address).href, `create tablespace small location '${disk}'`)
      const fixture = await start(own, 'tablespace small')
      const served = await serveOn(fixture.database)
      await fill(fixture.address)
      const done: string[] = []
      let refused = 0
      for (let round = 0; round < 40 && refused < 3; round++) {
        const answers = await served.tryAll(`full${round}`)
        demandKind(answers, 507)
        refused += Object.values(answers).filter(({ status }) => status === 507).length
        if (answers.upload?.status === 200) done.push(`full${round}.txt`)
        if ((answers['copy by a job']?.status ?? 500) < 300) done.push(`full${round}.copy`)
      }
      expect(refused).toBeGreaterThan(0)
      await ask(fixture.address, 'drop table filler')
      await demandAllWork(served, done)
    },
  )
})

/** Fills the disk of a database to its last page, as far as tables grow. */
async function fill(address: string): Promise<void> {
  await ask(address, 'create table filler (text text)')
  await ask(address, 'alter table filler alter text set storage plain')
  for (let rows = 4096; rows >= 1; rows = Math.floor(rows / 2)) {
    for (let isFull = false; !isFull; ) {
      const inserted = ask(address, `insert into filler select repeat('x', 4000) from generate_series(1, ${rows})`)
      isFull = await inserted.then(
        () => false,
        () => true,
      )
    }
  }
}
