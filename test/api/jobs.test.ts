import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Job } from '../../shared/api/jobs.ts'
import type { FolderResource } from '../../shared/api/resources.ts'
import { call, json, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { observe } from './observe.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'
import { snapshot } from './snapshot.ts'

const wire = await openInstance()
await enrol(wire, [
  { name: 'jobs-all', may: EVERYTHING },
  { name: 'jobs-reader', may: ['download'] },
  { name: 'jobs-ruled', may: EVERYTHING, rules: [{ path: '/denied' }] },
])
const admin = jobsOf(wire, await person(wire))
const all = jobsOf(wire, await person(wire, 'jobs-all', PASSWORD))
const reader = jobsOf(wire, await person(wire, 'jobs-reader', PASSWORD))
const ruled = jobsOf(wire, await person(wire, 'jobs-ruled', PASSWORD))
const anonymous = jobsOf(wire, {})
const later = () => new Date(Date.now() + 3_600_000).toISOString()
const outcomes = (job: Job) => job.items?.map(({ state, code }) => code ?? state)
const read = (folder: string, name: string) => readFile(join(folder, name), 'utf8')

async function planted(...names: string[]) {
  const place = await corner(wire)
  for (const name of names) {
    await mkdir(join(place.disk, name, '..'), { recursive: true })
    await writeFile(join(place.disk, name), name)
  }
  return place
}

describe('a job', () => {
  test('that ends quickly is answered with a result for each item, and is not stored', async () => {
    const { path, disk } = await planted('a.txt', 'b/c.txt')
    const items = ['a.txt', 'b', 'none'].map(name => ({ from: `${path}/${name}`, to: `${path}/new/${name}` }))
    const answer = await all.ask({ kind: 'copy', items })
    expect(answer.status).toBe(200)
    const job: Job = json(answer)
    expect(outcomes(job)).toEqual(['done', 'done', 'not_found'])
    expect(job).toMatchObject({
      kind: 'copy',
      state: 'done',
      count: { total: 3, done: 2, failed: 1 },
      scheduled: false,
    })
    expect(Object.keys(await snapshot(disk))).toEqual([
      'a.txt',
      'b',
      'b/c.txt',
      'new',
      'new/a.txt',
      'new/b',
      'new/b/c.txt',
    ])
    expect((await all.get(job.id)).status).toBe(404)
  })

  test('moves and deletes, and preserves the times of copies', async () => {
    const { path, disk } = await planted('a.txt', 'tree/b.txt')
    await utimes(join(disk, 'a.txt'), 1e6, 1e6)
    const copied = await all.run({ kind: 'copy', items: [{ from: `${path}/a.txt`, to: `${path}/c.txt` }] })
    expect(outcomes(copied)).toEqual(['done'])
    expect((await stat(join(disk, 'c.txt'))).mtimeMs).toBe(1e9)
    await all.run({ kind: 'move', items: [{ from: `${path}/tree`, to: `${path}/moved` }] })
    await all.run({ kind: 'delete', items: [{ from: `${path}/a.txt` }, { from: `${path}/c.txt` }] })
    expect(Object.keys(await snapshot(disk))).toEqual(['moved', 'moved/b.txt'])
  })

  test('creates an archive', async () => {
    const { path, disk } = await planted('a.txt', 'tree/b.txt')
    const items = [{ from: `${path}/a.txt` }, { from: `${path}/tree` }]
    const job = await all.run({ kind: 'archive', items, archive: { to: `${path}/all.tar`, format: 'tar' } })
    expect(outcomes(job)).toEqual(['done'])
    expect((await readFile(join(disk, 'all.tar'))).includes('tree/b.txt')).toBe(true)
    const again = { kind: 'archive' as const, items, archive: { to: `${path}/all.tar`, format: 'tar' } }
    expect(outcomes(await all.run(again))).toEqual(['exists'])
    expect((await all.run({ ...again, conflict: 'keepBoth' })).items?.[0]?.to).toBe(`${path}/all(1).tar`)
    const one = { to: `${path}/one.tar`, format: 'tar' }
    await all.run({ kind: 'archive', items: [{ from: `${path}/tree` }], archive: one })
    expect((await readFile(join(disk, 'one.tar'))).includes('tree/b.txt')).toBe(true)
  })

  test('resolves each conflict as chosen', async () => {
    const { path, disk } = await planted('a', 'b', 'c', 'd', 'to/a', 'to/b', 'to/c', 'to/d')
    const items = (['replace', 'keepBoth', 'skip', undefined] as const).map((conflict, index) => ({
      from: `${path}/${'abcd'[index]}`,
      to: `${path}/to/${'abcd'[index]}`,
      ...(conflict ? { conflict } : {}),
    }))
    const job = await all.run({ kind: 'copy', items })
    expect(outcomes(job)).toEqual(['done', 'done', 'skipped', 'exists'])
    expect(job.items?.map(({ to }) => to?.slice(path.length))).toEqual(['/to/a', '/to/b(1)', '/to/c', '/to/d'])
    expect([await read(disk, 'to/a'), await read(disk, 'to/b'), await read(disk, 'to/c')]).toEqual([
      'a',
      'to/b',
      'to/c',
    ])
  })

  test('merges folders by the choice for each path', async () => {
    const { path, disk } = await planted('tree/a', 'tree/sub/b', 'to/a', 'to/sub/b', 'to/own')
    const choices = { [`${path}/to/sub/b`]: 'skip' as const }
    await all.run({ kind: 'move', conflict: 'replace', choices, items: [{ from: `${path}/tree`, to: `${path}/to` }] })
    expect(await read(disk, 'to/a')).toBe('tree/a')
    expect(await read(disk, 'to/sub/b')).toBe('to/sub/b')
    expect(await read(disk, 'tree/sub/b')).toBe('tree/sub/b')
  })

  test('waits for its time, is listed until then, and can be cancelled and deleted', async () => {
    const { path, disk } = await planted('a.txt')
    const answer = await all.ask({ kind: 'delete', items: [{ from: `${path}/a.txt` }], runAt: later() })
    expect(answer.status).toBe(202)
    const { id, scheduled }: Job = json(answer)
    expect([answer.headers.get('location'), scheduled]).toEqual([`${wire.base}/api/jobs/${id}`, true])
    expect(json(await all.list()).map((job: Job) => job.id)).toContain(id)
    expect(json(await admin.list()).map((job: Job) => job.id)).toContain(id)
    expect(json(await reader.list())).toEqual([])
    expect((await reader.get(id)).status).toBe(404)
    expect((await reader.cancel(id)).status).toBe(404)
    expect((await reader.forget(id)).status).toBe(404)
    expect((await all.forget(id)).status).toBe(409)
    expect(json(await all.cancel(id))).toMatchObject({ state: 'cancelled', count: { cancelled: 1 } })
    expect((await all.forget(id)).status).toBe(204)
    expect((await all.forget(id)).status).toBe(404)
    expect(await read(disk, 'a.txt')).toBe('a.txt')
  })

  test('that is scheduled starts at its time', async () => {
    const { path, disk } = await planted('a.txt')
    const runAt = new Date(Date.now() + 1100).toISOString()
    const answer = await all.ask({ kind: 'delete', items: [{ from: `${path}/a.txt` }], runAt })
    expect(answer.status).toBe(202)
    const job = await all.ended(json(answer).id)
    expect(outcomes(job)).toEqual(['done'])
    expect(Date.parse(job.started ?? '')).toBeGreaterThanOrEqual(Date.parse(runAt))
    expect(await snapshot(disk)).toEqual({})
  })

  test('that is paused does not start before it is resumed', async () => {
    const { path, disk } = await planted('a.txt')
    const runAt = new Date(Date.now() + 700).toISOString()
    const { id } = json(await all.ask({ kind: 'delete', items: [{ from: `${path}/a.txt` }], runAt }))
    expect(json(await all.pause(id, true))).toMatchObject({ state: 'paused', count: { done: 0 } })
    expect(json(await all.pause(id, true))).toMatchObject({ state: 'paused' })
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(runAt) + 300)
    expect(json(await all.get(id))).toMatchObject({ state: 'paused' })
    expect(await read(disk, 'a.txt')).toBe('a.txt')
    expect((await all.pause(id, false)).status).toBe(200)
    expect(outcomes(await all.ended(id))).toEqual(['done'])
    expect((await all.pause(id, true)).status).toBe(409)
    expect(await snapshot(disk)).toEqual({})
  })

  test('that is paused can be cancelled, by its owner only', async () => {
    const { path, disk } = await planted('a.txt')
    const { id } = json(await all.ask({ kind: 'delete', items: [{ from: `${path}/a.txt` }], runAt: later() }))
    expect((await reader.pause(id, true)).status).toBe(404)
    expect((await all.pause(id, 'yes')).status).toBe(400)
    expect((await all.pause(id, true)).status).toBe(200)
    expect(json(await all.cancel(id))).toMatchObject({ state: 'cancelled', count: { cancelled: 1 } })
    expect(await read(disk, 'a.txt')).toBe('a.txt')
  })

  test('that is paused resumes where it was, and nothing of it is visible until then', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `tree/${index}/file.txt`)
    const { path, disk } = await planted(...names)
    const before = await snapshot(join(disk, 'tree'))
    const items = [{ from: `${path}/tree`, to: `${path}/copy` }]
    const runAt = new Date(Date.now()).toISOString()
    const { id } = json(await all.ask({ kind: 'copy', items, runAt }))
    await expect.poll(async () => json(await all.get(id)).progress.entries, { interval: 5 }).toBeGreaterThan(10)
    expect(json(await all.pause(id, true))).toMatchObject({ state: 'paused', count: { done: 0 } })
    expect(await all.get(id).then(json)).toMatchObject({ state: 'paused' })
    expect(Object.keys(json(await (await person(wire)).get(path)).items)).toHaveLength(1)
    await all.pause(id, false)
    expect(outcomes(await all.ended(id))).toEqual(['done'])
    expect(await snapshot(join(disk, 'copy'))).toEqual(before)
    expect(Object.keys(await snapshot(disk)).filter(name => !name.includes('/'))).toEqual(['copy', 'tree'])
  })

  test('ends with the permissions of its owner', async () => {
    const { path, disk } = await planted('a.txt')
    const guest = { name: 'jobs-guest', may: EVERYTHING }
    await enrol(wire, [guest])
    const own = jobsOf(wire, await person(wire, guest.name, PASSWORD))
    const { id } = json(await own.ask({ kind: 'delete', items: [{ from: `${path}/a.txt` }], runAt: later() }))
    const people = json(await call(wire, '/api/users', { token: (await person(wire)).token }))
    const { id: user } = people.find(({ username }: { username: string }) => username === guest.name)
    await call(wire, `/api/users/${user}`, { method: 'DELETE', token: (await person(wire)).token })
    const ended = { state: 'cancelled', code: 'unauthorized', count: { done: 0, cancelled: 1 } }
    expect(await admin.ended(id)).toMatchObject(ended)
    expect(await read(disk, 'a.txt')).toBe('a.txt')
  })

  test('runs at its time although its user has signed out everywhere and changed the password', async () => {
    const { path, disk } = await planted('a.txt')
    const guest = { name: 'jobs-planner', may: EVERYTHING }
    await enrol(wire, [guest])
    const { token } = await person(wire, guest.name, PASSWORD)
    const runAt = new Date(Date.now() + 3000).toISOString()
    const { id } = json(
      await jobsOf(wire, { token }).ask({ kind: 'delete', items: [{ from: `${path}/a.txt` }], runAt }),
    )
    expect((await call(wire, '/api/sessions', { method: 'DELETE', token })).status).toBe(204)
    const { token: boss } = await person(wire)
    const people = json(await call(wire, '/api/users', { token: boss }))
    const { id: user } = people.find(({ username }: { username: string }) => username === guest.name)
    const data = { id: user, password: `${PASSWORD}2` }
    const change = JSON.stringify({ what: 'user', which: ['password'], data })
    expect((await call(wire, `/api/users/${user}`, { method: 'PUT', token: boss, body: change })).status).toBe(200)
    expect(await admin.ended(id)).toMatchObject({ state: 'done', count: { done: 1 } })
    expect(await snapshot(disk)).toEqual({})
  })

  test('is cancelled by signing out everywhere if requested, with that reason', async () => {
    const { path, disk } = await planted('a.txt')
    await enrol(wire, [{ name: 'jobs-leaver', may: EVERYTHING }])
    const { token } = await person(wire, 'jobs-leaver', PASSWORD)
    const { id } = json(
      await jobsOf(wire, { token }).ask({ kind: 'delete', items: [{ from: `${path}/a.txt` }], runAt: later() }),
    )
    expect((await call(wire, '/api/sessions?planned=cancel', { method: 'DELETE', token })).status).toBe(204)
    expect(await admin.ended(id)).toMatchObject({ state: 'cancelled', code: 'session_ended' })
    expect(await read(disk, 'a.txt')).toBe('a.txt')
  })
})

describe('a missing permission', () => {
  test('is the result of that item, and nothing else', async () => {
    const { path, disk } = await planted('a.txt')
    const from = `${path}/a.txt`
    for (const kind of ['copy', 'move', 'delete'] as const) {
      expect(outcomes(await reader.run({ kind, items: [{ from, to: `${path}/b.txt` }] }))).toEqual(['forbidden'])
    }
    const mixed = {
      kind: 'copy' as const,
      items: [
        { from, to: '/denied/x' },
        { from, to: `${path}/b.txt` },
      ],
    }
    expect(outcomes(await ruled.run(mixed))).toEqual(['forbidden', 'done'])
    expect(Object.keys(await snapshot(disk))).toEqual(['a.txt', 'b.txt'])
  })

  test('a call without a session is refused', async () => {
    const answers = [
      anonymous.ask({}),
      anonymous.list(),
      anonymous.get('x'),
      anonymous.cancel('x'),
      anonymous.forget('x'),
      anonymous.pause('x', true),
    ]
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(401)
    expect((await call(wire, '/api/events')).status).toBe(401)
  })
})

test.each([
  ['no items', { kind: 'delete', items: [] }],
  ['an unknown kind', { kind: 'burn', items: [{ from: '/a' }] }],
  ['a path that climbs', { kind: 'delete', items: [{ from: '/a/../b' }] }],
  ['no destination', { kind: 'copy', items: [{ from: '/a' }] }],
  ['an unknown choice', { kind: 'move', items: [{ from: '/a', to: '/b', conflict: 'burn' }] }],
  ['a time that is none', { kind: 'delete', items: [{ from: '/a' }], runAt: 'tomorrow' }],
  ['a time out of reach', { kind: 'delete', items: [{ from: '/a' }], runAt: '2999-01-01T00:00:00Z' }],
  ['an archive without a name', { kind: 'archive', items: [{ from: '/a' }] }],
  ['an archive of no known kind', { kind: 'archive', items: [{ from: '/a' }], archive: { to: '/x', format: 'rar5' } }],
])('a request with %s is refused', async (_what, request) => {
  expect((await all.ask(request)).status).toBe(400)
})

test('a stream of events has the caller’s jobs, and no other user’s', async () => {
  const { path } = await planted('a.txt')
  const { token } = await person(wire, 'jobs-all', PASSWORD)
  const stop = new AbortController()
  const response = await fetch(`${wire.url}/api/events`, { headers: { 'X-Auth': token }, signal: stop.signal })
  observe('GET', `${wire.url}/api/events`, response.status)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const foreign = json(await admin.ask({ kind: 'delete', items: [{ from: `${path}/a.txt` }], runAt: later() }))
  const { id } = json(await all.ask({ kind: 'delete', items: [{ from: `${path}/a.txt` }], runAt: later() }))
  await all.cancel(id)
  await all.forget(id)
  let text = ''
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString()
    if (text.includes('event: gone')) break
  }
  stop.abort()
  expect(text).toContain(`"id":"${id}"`)
  expect(text).toContain('"state":"cancelled"')
  expect(text).not.toContain(foreign.id)
  await admin.cancel(foreign.id)
  await admin.forget(foreign.id)
})

describe('a stream of events about a folder', () => {
  async function streamOf(folder: string, token: string, seen?: string) {
    const stop = new AbortController()
    const since = seen === undefined ? '' : `&seen=${encodeURIComponent(seen)}`
    const address = `${wire.url}/api/events?folder=${encodeURIComponent(folder)}${since}`
    const response = await fetch(address, { headers: { 'X-Auth': token }, signal: stop.signal })
    observe('GET', address, response.status)
    let text = ''
    const read = async () => {
      for await (const piece of response.body ?? []) text += Buffer.from(piece).toString()
    }
    void read().catch(() => {})
    return { status: response.status, changes: () => text.split('event: folder').length - 1, stop: () => stop.abort() }
  }

  test('reports changes by others, through the API or on the disk', async () => {
    const { path, disk } = await planted('a.txt')
    const { token } = await person(wire, 'jobs-all', PASSWORD)
    const stream = await streamOf(path, token)
    await (await person(wire)).put(`${path}/new.txt`, 'new')
    await expect.poll(stream.changes).toBeGreaterThan(0)
    const quiet = stream.changes()
    await writeFile(join(disk, 'by-hand.txt'), 'x')
    await expect.poll(stream.changes).toBeGreaterThan(quiet)
    stream.stop()
  })

  test('begins with the changes since the listing', async () => {
    const { path, disk } = await planted('a.txt')
    const all = await person(wire, 'jobs-all', PASSWORD)
    const { modified } = json(await all.get(path)) as FolderResource
    await writeFile(join(disk, 'before-it-listens.txt'), 'x')
    const stream = await streamOf(path, all.token, modified)
    await expect.poll(stream.changes).toBeGreaterThan(0)
    stream.stop()
  })

  test('is refused for a missing path, a file, or a denied folder', async () => {
    const { path } = await planted('a.txt')
    const { token } = await person(wire, 'jobs-ruled', PASSWORD)
    const statuses = [`${path}/none`, `${path}/a.txt`, '/denied'].map(
      async folder => (await streamOf(folder, token)).status,
    )
    expect(await Promise.all(statuses)).toEqual([404, 409, 403])
  })
})
