import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../shared/api/diagnostics.ts'
import { type Answer, call, encode, json, type Person, person } from '../api/client.ts'
import { launch, type OwnServer, type StartOptions, uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { offsetOf, tusOf } from '../api/tus.ts'
import { openConsole } from '../cli/console.ts'
import { commandsIn, follow, layOut } from '../docs/follow.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'
import { startRelay } from './relay.ts'
import { hasS3, sharedS3 } from './s3-store.ts'

const MIB = 1024 ** 2

interface Fixture {
  server: OwnServer
  owner: Person
  ask(path: string, method?: string, body?: string): Promise<Answer>
}

/** A server on a prefix of its own in the bucket. */
async function start(how: StartOptions = {}): Promise<Fixture> {
  const { addressOf, env } = await sharedS3()
  return fixtureOf(await serve({ root: addressOf(uniqueName('served')), env, ...how }))
}

async function fixtureOf(server: OwnServer): Promise<Fixture> {
  const owner = await person(server)
  const ask = (path: string, method = 'GET', body?: string) =>
    call(server, path, { method, token: owner.token, ...(body === undefined ? {} : { body }) })
  return { server, owner, ask }
}

const namesOf = (answer: Answer): string[] =>
  json(answer)
    .items.map(({ name }: { name: string }) => name)
    .sort()

describe.runIf(hasS3).each([
  ['SQLite', true],
  ['PostgreSQL', hasPostgres],
])('files in a bucket, state in %s', (engine, isThere) => {
  const database = async (): Promise<StartOptions> =>
    engine === 'SQLite' ? {} : { database: await (await sharedPostgres()).make() }

  test.runIf(isThere)('support the same operations as on a disk', async () => {
    const { ask, owner, server } = await start(await database())
    for (const name of ['a.txt', 'sub/b.txt', 'sub/caf\u00e9 + %.txt']) {
      expect((await ask(`/api/resources${encode(`/docs/${name}`)}`, 'POST', name)).status).toBe(200)
    }
    expect((await ask('/api/resources/docs/a.txt', 'POST', 'other')).status).toBe(409)
    expect(namesOf(await ask('/api/resources/docs/'))).toEqual(['a.txt', 'sub'])
    expect((await ask(`/api/raw${encode('/docs/sub/caf\u00e9 + %.txt')}`)).text).toBe('sub/caf\u00e9 + %.txt')
    expect((await ask('/api/resources/docs/a.txt?action=rename&destination=/docs/c.txt', 'PATCH')).status).toBe(200)
    const items = [{ from: '/docs', to: '/moved' }]
    await jobsOf(server, owner).run({ kind: 'copy', items: [{ from: '/docs', to: '/copy' }] })
    const job = await jobsOf(server, owner).run({ kind: 'move', items })
    expect(job.items?.map(({ state }) => state)).toEqual(['done'])
    expect(namesOf(await ask('/api/resources/'))).toEqual(['copy', 'moved'])
    expect(namesOf(await ask('/api/resources/moved/sub/'))).toEqual(['b.txt', 'caf\u00e9 + %.txt'])
    expect((await ask('/api/search/?query=b.txt')).text).toContain('copy/sub/b.txt')
    expect((await ask('/api/resources/copy/', 'DELETE')).status).toBe(204)
    expect(namesOf(await ask('/api/resources/'))).toEqual(['moved'])
    const page = (await ask('/')).text
    expect(page).toContain('"MovesByCopy":true')
    expect(page).toContain('"SearchesContents":false')
  })
})

describe.runIf(hasS3)('a server on a bucket', () => {
  /** Kills a server and starts it again. */
  async function again({ server }: Fixture): Promise<Fixture> {
    await server.end('SIGKILL')
    const { home, root, database } = server
    return fixtureOf(await serve({ home, root, database, env: (await sharedS3()).env }))
  }

  test('starts as described in the guide to several servers', async () => {
    const { addressOf, credentials } = await sharedS3()
    const { home } = await openConsole()
    await writeFile(join(home, 'secret'), credentials.secretKey)
    const written = commandsIn('docs/scaling.md').find(text => text.startsWith('AWS_')) ?? ''
    const commands = layOut(written, [
      ['AWS_ACCESS_KEY_ID=…', `AWS_ACCESS_KEY_ID=${credentials.accessKey}`],
      ['/run/secrets/s3', join(home, 'secret')],
      ['s3://files/team?endpoint=https://s3.example&region=eu-1', addressOf(uniqueName('served'))],
    ])
    expect(await follow(home, commands)).toBe('fine')
  })

  test('resumes an upload after a kill', async () => {
    const fixture = await start()
    const content = randomBytes(21 * MIB)
    const path = '/new/a.bin'
    await tusOf(fixture.server, fixture.owner).create(path, content.length)
    await tusOf(fixture.server, fixture.owner).patch(path, 0, content.subarray(0, 13 * MIB))
    const { server, owner, ask } = await again(fixture)
    const tus = tusOf(server, owner)
    expect(offsetOf(await tus.head(path))).toBe(String(13 * MIB))
    expect((await tus.patch(path, 13 * MIB, content.subarray(13 * MIB))).status).toBe(204)
    const answer = await fetch(`${server.url}/api/raw${path}`, { headers: { 'X-Auth': owner.token } })
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect(digest(new Uint8Array(await answer.arrayBuffer()))).toBe(digest(content))
    expect(namesOf(await ask('/api/resources/'))).toEqual(['new'])
  })

  test('resumes a move and a copy after a kill, and loses nothing', async () => {
    const fixture = await start()
    const names = Array.from({ length: 120 }, (_, n) => `${n}.txt`).sort()
    for (const folder of ['docs', 'papers']) {
      for (let n = 0; n < names.length; n += 20) {
        const some = names.slice(n, n + 20)
        await Promise.all(some.map(name => fixture.ask(`/api/resources/${folder}/${name}`, 'POST', name)))
      }
    }
    const jobs = jobsOf(fixture.server, fixture.owner)
    for (const request of [
      { kind: 'copy', items: [{ from: '/papers', to: '/copy' }] },
      { kind: 'move', items: [{ from: '/docs', to: '/moved' }] },
    ]) {
      void jobs.ask(request).catch(() => {})
    }
    await expect.poll(async () => namesOf(await fixture.ask('/api/resources/'))).toContain('moved')
    const { ask } = await again(fixture)
    const there = async (folder: string) => namesOf(await ask(`/api/resources/${folder}/`))
    await expect.poll(() => there('').catch(() => []), { timeout: 60_000 }).not.toContain('docs')
    await expect.poll(() => there('copy').catch(() => []), { timeout: 60_000 }).toEqual(names)
    expect([await there('moved'), await there('papers')]).toEqual([names, names])
  })

  test('responds with `Retry-After` while the store is unavailable, on the health page too, and recovers when it is back', async () => {
    const { addressOf, env } = await sharedS3()
    const relay = await startRelay(addressOf(uniqueName('served')))
    const { ask } = await fixtureOf(await serve({ root: relay.address, env }))
    const health = async () => json(await ask('/api/doctor')).filter(({ what }: Finding) => what === relay.address)
    await ask('/api/resources/a.txt', 'POST', 'old')
    expect(await health()).toEqual([{ code: 'reached', what: relay.address }])
    relay.cut()
    expect(await health()).toEqual([{ code: 'storeAway', what: relay.address }])
    for (const method of ['GET', 'PUT']) {
      const answer = await ask('/api/resources/a.txt', method, method === 'PUT' ? 'new' : undefined)
      expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([503, true])
    }
    relay.mend()
    expect((await ask('/api/raw/a.txt')).text).toBe('old')
  })

  test('redirects downloads to the bucket, if configured', async () => {
    const { ask, server, owner } = await start({ args: ['--presignedDownloads'] })
    await ask('/api/resources/a%20b.txt', 'POST', 'content')
    const asked = { headers: { 'X-Auth': owner.token }, redirect: 'manual' } as const
    const sent = await fetch(`${server.url}/api/raw/a%20b.txt`, asked)
    expect(sent.status).toBe(302)
    const answer = await fetch(sent.headers.get('location') ?? '')
    expect(await answer.text()).toBe('content')
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    const inline = await fetch(`${server.url}/api/raw/a%20b.txt?inline=true`, asked)
    expect([inline.status, await inline.text()]).toEqual([200, 'content'])
  })

  test('without access to it does not start, and gives the reason', async () => {
    const { addressOf, env } = await sharedS3()
    const home = await mkdtemp(join(tmpdir(), 'no-entry-'))
    onTestFinished(() => rm(home, { recursive: true }))
    const run = launch(['--root', addressOf(''), '--database', join(home, 'f.db'), '--port', '0'], {
      env: { ...env, AWS_SECRET_ACCESS_KEY: 'guessed' },
    })
    expect(await run.ended).not.toBe(0)
    expect(run.output()).toContain('The secret key is wrong.')
  })
})
