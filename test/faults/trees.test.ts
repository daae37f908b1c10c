import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type RequestOptions, get as request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FolderResource, RecursiveItem } from '../../shared/api/resources.ts'
import { call, json, person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { enrol, PASSWORD } from '../api/people.ts'
import { freePort } from '../proxies/free-port.ts'
import { memoryOf, watchMemory } from './memory.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'

/** Entries of one folder; with --big: a million. */
const WIDE = size('WIDE', 10_000)
/** Milliseconds that another client may have to wait, on a machine under this load. */
const PATIENCE = 3000
/** Maximum event loop delay in milliseconds: long, where other tests run concurrently. */
const HELD_UP = size('HELD_UP', 1500)

const get = (url: string, options: RequestOptions) =>
  new Promise<IncomingMessage>((resolve, reject) => request(url, options, resolve).once('error', reject))

const metrics = `127.0.0.1:${await freePort()}`
const server = await serve({ args: ['--metrics', metrics] })
const owner = await person(server)

describe('DIR-04 a tree deeper than the longest path', () => {
  /** Half of the maximum depth: two of them make a path that no system call takes. */
  const half = `${'d'.repeat(200)}/`.repeat(15)
  const deep = join(server.root, 'deep')
  beforeAll(async () => {
    for (const top of [deep, join(server.root, 'more')]) {
      await mkdir(join(top, half), { recursive: true })
      await writeFile(join(top, half, 'a.txt'), 'alpha')
    }
    await rename(join(server.root, 'more'), join(deep, half, 'more'))
  })

  test('is archived as far as it has paths, and the rest is listed in the archive', async () => {
    const members = unzipSync(new Uint8Array((await owner.raw('/deep')).bytes))
    const textOf = (name: string) => Buffer.from(members[name] ?? []).toString()
    expect(textOf(`${half}a.txt`)).toBe('alpha')
    expect(textOf('_errors.txt')).toContain(`/deep/${half}more/`)
  })

  test('is opened as far as possible, and the next folder is refused with the reason', async () => {
    const opened = async (path: string): Promise<{ path: string; status: number; code: string | null }> => {
      const answer = await owner.get(path)
      if (answer.status !== 200) return { path, status: answer.status, code: answer.headers.get('x-error-code') }
      const { items } = json(answer) as FolderResource
      const folder = items.find(({ isDir }) => isDir)
      return folder ? opened(`${path}${folder.name}/`) : { path, status: 200, code: null }
    }
    const end = await opened('/deep/')
    expect([end.status, end.code]).toEqual([400, 'name_too_long'])
    expect(end.path.length).toBeGreaterThan(4000)
  })

  test('is reported as incomplete by a search and a flat listing', async () => {
    for (const address of ['/api/search/deep/?query=a.txt', '/api/resources/recursive/deep/']) {
      const inLines = { headers: { Accept: 'application/x-ndjson' }, token: owner.token }
      expect((await call(server, address, inLines)).text).toMatch(/"path":"[^"]*a\.txt"[\s\S]*\n\{"unread":1\}\n$/)
      const answer = await get(server.url + address, { headers: { 'X-Auth': owner.token } })
      expect(JSON.parse(await text(answer)).at(-1)).toHaveProperty('path')
      expect(answer.trailers).toEqual({ 'x-unread': '1' })
    }
  })

  test('is reported as incomplete by a copy', async () => {
    const job = await jobsOf(server, owner).run({ kind: 'copy', items: [{ from: '/deep', to: '/copied' }] })
    expect(job.items?.map(({ state }) => state)).toEqual(['failed'])
  })

  test('is deleted completely', async () => {
    for (const name of await readdir(server.root))
      expect((await owner.remove(`/${name}`, '?permanent=true')).status).toBe(204)
    expect(await readdir(server.root)).toEqual([])
  })
})

test(`DIR-02 ${WIDE} entries of one folder are sent to three clients at once, in little memory, while others are served`, async () => {
  const folder = join(server.root, 'wide')
  await mkdir(folder)
  for (let at = 0; at < WIDE; at += 500) {
    const names = Array.from({ length: Math.min(500, WIDE - at) }, (_, index) => `entry ${at + index}`)
    await Promise.all(names.map(name => writeFile(join(folder, name), '')))
  }
  const before = await memoryOf(server.pid)
  const stop = watchMemory(server.pid)
  let open = 3
  const list = async (): Promise<Buffer[]> =>
    Array.fromAsync(await get(`${server.url}/api/resources/wide/`, { headers: { 'X-Auth': owner.token } }))
  const lists = [list(), list(), list()].map(all =>
    all.finally(() => {
      open -= 1
    }),
  )
  let slowest = 0
  while (open > 0) {
    const began = performance.now()
    expect((await call(server, '/health')).status).toBe(200)
    slowest = Math.max(slowest, performance.now() - began)
    await delay(20)
  }
  expect(stop() - before).toBeLessThan(500)
  // The waits of other clients were measured: the event loop was never blocked for long.
  for (const pieces of await Promise.all(lists)) {
    expect((JSON.parse(String(Buffer.concat(pieces))) as FolderResource).items).toHaveLength(WIDE)
  }
  expect(slowest).toBeLessThan(PATIENCE)
  await rm(folder, { recursive: true })
}, 3_600_000)

test('DIR-06 a flat listing of very many entries is streamed, in little memory, and applies the rules first', async () => {
  const count = size('FLAT', 4000)
  await enrol(server, [{ name: 'ruled', may: [], rules: [{ path: '/flat/3' }, { path: '/closed' }] }])
  await mkdir(join(server.root, 'closed'))
  const folders = 10
  for (let folder = 0; folder < folders; folder += 1) {
    const disk = join(server.root, 'flat', String(folder))
    await mkdir(disk, { recursive: true })
    for (let file = 0; file < count / folders; file += 1) await writeFile(join(disk, `file ${file}`), '')
  }
  const ruled = await person(server, 'ruled', PASSWORD)
  // A connection of its own for each: while this process reads a million entries, the server may close an idle one.
  const list = (path: string, token: string) =>
    get(`${server.url}/api/resources/recursive${path}`, { headers: { 'X-Auth': token }, agent: false })
  const listed = async (token: string): Promise<RecursiveItem[]> => JSON.parse(await text(await list('/flat/', token)))
  const before = await memoryOf(server.pid)
  const stop = watchMemory(server.pid)
  const all = await listed(owner.token)
  expect(all).toHaveLength(count + folders)
  expect(stop() - before).toBeLessThan(150)
  const seen = await listed(ruled.token)
  expect(seen).toHaveLength((count / folders + 1) * (folders - 1))
  const refused = await list('/closed/', ruled.token)
  expect(refused.resume().statusCode).toBe(403)

  const answer = await fetch(`${server.url}/api/resources/recursive/flat/`, { headers: { 'X-Auth': owner.token } })
  const first = await answer.body?.getReader().read()
  expect(String(Buffer.from(first?.value ?? []))).toMatch(/^\[\{"path":"\/flat\/0"/)
  expect(first?.value?.length).toBeLessThan(JSON.stringify(all).length)
  await rm(join(server.root, 'flat'), { recursive: true })
}, 3_600_000)

test(`DIR-08 none of this blocked the event loop for ${HELD_UP} milliseconds`, async () => {
  const metricsText = await (await fetch(`http://${metrics}/metrics`)).text()
  const held = (percentile: string) =>
    1000 * Number(new RegExp(`event_loop_delay_seconds\\{percentile="${percentile}"\\} (\\S+)`).exec(metricsText)?.[1])
  report(`the event loop was held up for ${held('99').toFixed(0)} ms (99 %), ${held('100').toFixed(0)} ms at most`)
  expect(held('99')).toBeLessThan(HELD_UP / 2)
  expect(held('100')).toBeLessThan(HELD_UP)
})
