import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Answer, call, json, type Person, person } from '../api/client.ts'
import { type OwnServer, uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { offsetOf, tusOf } from '../api/tus.ts'
import { hasS3, sharedS3 } from './s3-store.ts'
import { startTroubled, type TroubledStore } from './troubled-store.ts'

/** More than one part of an object. */
const LARGE = randomBytes(9 * 1024 ** 2)
const HALF = Buffer.from('half')

/** The error of a store that refuses a server. */
const REFUSALS = [
  [503, 'SlowDown'],
  [500, 'InternalError'],
  [429, 'TooManyRequests'],
  [403, 'AccessDenied'],
  [403, 'InvalidAccessKeyId'],
  [403, 'SignatureDoesNotMatch'],
  [403, 'RequestTimeTooSkewed'],
  [401, 'Unauthorized'],
  [400, 'ExpiredToken'],
  [404, 'NoSuchBucket'],
] as const

interface Fixture {
  store: TroubledStore
  server: OwnServer
  owner: Person
  ask(path: string, method?: string, body?: string | Buffer<ArrayBuffer>): Promise<Answer>
}

/** A server on a bucket with `a.txt`, a folder of files, and half of an upload. */
async function start(): Promise<Fixture> {
  const { addressOf, env } = await sharedS3()
  const store = await startTroubled(addressOf(uniqueName('troubled')))
  const server = await serve({ root: store.address, env })
  const owner = await person(server)
  const ask: Fixture['ask'] = (path, method = 'GET', body) =>
    call(server, `/api${path}`, { method, token: owner.token, ...(body === undefined ? {} : { body }) })
  await ask('/resources/a.txt', 'POST', 'old')
  const names = Array.from({ length: 12 }, (_, n) => `${n}.txt`)
  await Promise.all(names.map(name => ask(`/resources/docs/${name}`, 'POST', name)))
  await tusOf(server, owner).create('/up.bin', 2 * HALF.length)
  await tusOf(server, owner).patch('/up.bin', 0, HALF)
  return { store, server, owner, ask }
}

type Operation = (fixture: Fixture) => Promise<Answer>

const READS: Readonly<Record<string, Operation>> = {
  list: ({ ask }) => ask('/resources/'),
  'ask about': ({ ask }) => ask('/resources/a.txt'),
  download: ({ ask }) => ask('/raw/a.txt'),
}

const WRITES: Readonly<Record<string, Operation>> = {
  save: ({ ask }) => ask('/resources/a.txt', 'PUT', 'new'),
  'upload something small': ({ ask }) => ask('/resources/b.txt', 'POST', 'b'),
  'upload something large': ({ ask }) => ask('/resources/b.bin', 'POST', LARGE),
  'make a folder': ({ ask }) => ask('/resources/sub/', 'POST'),
  copy: ({ ask }) => ask('/resources/a.txt?action=copy&destination=/c.txt', 'PATCH'),
  rename: ({ ask }) => ask('/resources/docs/1.txt?action=rename&destination=/d.txt', 'PATCH'),
  'resume an upload': ({ server, owner }) => tusOf(server, owner).patch('/up.bin', HALF.length, HALF),
}

const REMOVES: Operation = ({ ask }) => ask('/resources/docs/0.txt', 'DELETE')

async function namesIn({ ask }: Fixture, folder = '/'): Promise<string[]> {
  const { items } = json(await ask(`/resources${folder}`))
  return items.map(({ name }: { name: string }) => name).sort()
}

async function demandUntouched(fixture: Fixture): Promise<void> {
  expect(await namesIn(fixture)).toEqual(['a.txt', 'docs'])
  expect(await namesIn(fixture, '/docs/')).toHaveLength(12)
  expect((await fixture.ask('/raw/a.txt')).text).toBe('old')
}

async function demandAllWork(fixture: Fixture): Promise<void> {
  const tus = tusOf(fixture.server, fixture.owner)
  expect(offsetOf(await tus.head('/up.bin'))).toBe(String(HALF.length))
  for (const [name, operation] of Object.entries({ ...READS, ...WRITES, remove: REMOVES })) {
    expect([name, (await operation(fixture)).status]).toEqual([name, expect.toSatisfy(status => status < 300)])
  }
  expect(await namesIn(fixture)).toEqual(['a.txt', 'b.bin', 'b.txt', 'c.txt', 'd.txt', 'docs', 'sub', 'up.bin'])
  expect((await fixture.ask('/raw/b.bin')).bytes.equals(LARGE)).toBe(true)
  expect((await fixture.ask('/raw/up.bin')).text).toBe('halfhalf')
  expect((await fixture.ask('/raw/c.txt')).text).toBe('new')
}

const writesOnly = ({ method, url = '' }: IncomingMessage) =>
  (method === 'PUT' || method === 'POST') && !/[?&]delete(?:=|&|$)/.test(url)

describe.runIf(hasS3)('a store in trouble', () => {
  test.each(REFUSALS)(
    'that refuses with %i %s: 503 with `Retry-After`, and nothing is changed',
    async (status, word) => {
      const fixture = await start()
      fixture.store.trouble = { refuses: { status, word } }
      const operations = Object.entries({ ...READS, ...WRITES, remove: REMOVES })
      const responses = await Promise.all(
        operations.map(async ([name, operation]) => {
          const { status, headers } = await operation(fixture)
          return [name, status, Number(headers.get('retry-after')) > 0]
        }),
      )
      expect(responses).toEqual(operations.map(([name]) => [name, 503, true]))
      fixture.store.trouble = {}
      await demandUntouched(fixture)
      await demandAllWork(fixture)
    },
  )

  test('with a delay of seconds makes responses slow, and nothing else', async () => {
    const fixture = await start()
    fixture.store.trouble = { late: 1500 }
    await demandAllWork(fixture)
  })

  test('that is silent for long: 503 with `Retry-After`, and each file is old or new', async () => {
    const fixture = await start()
    fixture.store.trouble = { late: 30_000 }
    const operations = [...Object.values(READS), WRITES.save, WRITES.copy]
    const answers = await Promise.all(operations.map(async operation => operation?.(fixture)))
    for (const answer of answers) {
      expect([answer?.status, Number(answer?.headers.get('retry-after')) > 0]).toEqual([503, true])
    }
    fixture.store.trouble = {}
    expect(await namesIn(fixture)).toEqual(expect.arrayContaining(['a.txt', 'docs']))
    expect((await fixture.ask('/raw/a.txt')).text).toMatch(/^(?:old|new)$/)
    expect((await fixture.ask('/resources/a.txt', 'PUT', 'newest')).status).toBe(200)
    expect((await fixture.ask('/raw/a.txt')).text).toBe('newest')
  })

  test.each([
    [507, 'XMinioStorageFull'],
    [403, 'QuotaExceeded'],
  ])('that is full (%i %s) is reported, and users can read and free space', async (status, word) => {
    const fixture = await start()
    fixture.store.trouble = { refuses: { status, word, only: writesOnly } }
    for (const [name, operation] of Object.entries(WRITES))
      expect([name, (await operation(fixture)).status]).toEqual([name, 507])
    for (const [name, operation] of Object.entries(READS))
      expect([name, (await operation(fixture)).status]).toEqual([name, 200])
    await demandUntouched(fixture)
    expect((await REMOVES(fixture)).status).toBe(204)
    expect((await fixture.ask('/resources/docs/', 'DELETE')).status).toBe(204)
    expect(await namesIn(fixture)).toEqual(['a.txt'])
    fixture.store.trouble = {}
    expect((await fixture.ask('/resources/a.txt', 'PUT', 'new')).status).toBe(200)
    expect(offsetOf(await tusOf(fixture.server, fixture.owner).head('/up.bin'))).toBe(String(HALF.length))
  })

  test.each(['copy', 'move'] as const)(
    'in the middle of a job that is to %s a folder: the job resumes afterwards',
    async kind => {
      const fixture = await start()
      const { store, server, owner } = fixture
      store.trouble = { late: 200 }
      const asked = jobsOf(server, owner).run({ kind, items: [{ from: '/docs', to: '/goal' }] })
      await expect.poll(async () => (await fixture.ask('/resources/goal/1.txt')).status).toBe(200)
      store.trouble = { refuses: { status: 503, word: 'SlowDown' } }
      await expect.poll(() => store.refused).toBeGreaterThan(4)
      await pause(3000)
      store.trouble = {}
      const ended = await asked
      expect(ended.items?.map(({ state }) => state)).toEqual(['done'])
      expect(await namesIn(fixture, '/goal/')).toHaveLength(12)
      expect(await namesIn(fixture)).toEqual(kind === 'copy' ? ['a.txt', 'docs', 'goal'] : ['a.txt', 'goal'])
      for (const n of [0, 5, 11]) expect((await fixture.ask(`/raw/goal/${n}.txt`)).text).toBe(`${n}.txt`)
    },
  )
})
