import type { IncomingMessage } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TrashPage } from '../../shared/api/trash.ts'
import { call, json, type Person, person } from '../api/client.ts'
import { type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { digest, reachable } from '../api/reachable.ts'
import { report } from '../faults/report.ts'
import { size } from '../faults/sizes.ts'
import { hasS3, sharedS3, versionedBucket } from './s3-store.ts'
import { startTroubled, type TroubledStore } from './troubled-store.ts'

/** The server is killed at every so many requests to the store: 1 for each of them. */
const STEP = size('KEPT_STEP', 6)
/** More requests than any of the operations sends. */
const MOST = 200

interface Visit {
  server: OwnServer
  owner: Person
}

const ask = ({ server, owner }: Visit, path: string, method = 'GET', body?: string) =>
  call(server, `/api${path}`, { method, token: owner.token, ...(body !== undefined && { body }) })
const post = ({ server, owner }: Visit, path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' }
  return call(server, `/api${path}`, { method: 'POST', token: owner.token, headers, body: JSON.stringify(body) })
}
const deleted = async (visit: Visit, path: string) =>
  (await ask(visit, `/resources${path}`, 'DELETE')).headers.get('X-Kept') ?? ''

/** Prepares an operation at a name of its own. @returns what is then done, and the contents that it may remove */
type Operation = (visit: Visit, top: string) => Promise<{ act: (now: Visit) => Promise<unknown>; ends?: string[] }>

const NAMES = ['a', 'b', 'sub/c']

async function plant(visit: Visit, top: string): Promise<string[]> {
  const contents = NAMES.map(name => `${top}/${name}`)
  for (const content of contents) await ask(visit, `/resources/${content}`, 'POST', content)
  return contents
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  async 'delete a file'(visit, top) {
    await ask(visit, `/resources/${top}.txt`, 'POST', top)
    return { act: now => ask(now, `/resources/${top}.txt`, 'DELETE') }
  },
  async 'delete a tree'(visit, top) {
    await plant(visit, top)
    return { act: now => ask(now, `/resources/${top}`, 'DELETE') }
  },
  async 'restore a tree'(visit, top) {
    await plant(visit, top)
    const id = await deleted(visit, `/${top}`)
    return { act: now => post(now, '/trash/restore', { items: [{ id }] }) }
  },
  async 'restore a tree elsewhere'(visit, top) {
    await plant(visit, top)
    const id = await deleted(visit, `/${top}`)
    return { act: now => post(now, '/trash/restore', { items: [{ id }], to: `/elsewhere-${top}` }) }
  },
  async 'save over a file'(visit, top) {
    await ask(visit, `/resources/${top}.txt`, 'POST', `old ${top}`)
    return { act: now => ask(now, `/resources/${top}.txt`, 'PUT', `new ${top}`), ends: [`new ${top}`] }
  },
  async 'delete a tree for good'(visit, top) {
    const contents = await plant(visit, top)
    const id = await deleted(visit, `/${top}`)
    return { act: now => post(now, '/trash/purge', { ids: [id] }), ends: contents }
  },
}

/** Kills the server when its store receives the nth request. @returns whether it received one */
async function killedAt(store: TroubledStore, { server }: Visit, nth: number, act: () => Promise<unknown>) {
  let count = 0
  const only = (_request: IncomingMessage) => {
    count += 1
    if (count === nth) process.kill(server.pid, 'SIGKILL')
    return count >= nth
  }
  store.trouble.refuses = { status: 503, word: 'SlowDown', only }
  await act().catch(() => {})
  delete store.trouble.refuses
  return count >= nth
}

describe.runIf(hasS3).each([
  ['a bucket', async () => undefined],
  ['a bucket with versions', versionedBucket],
])('a server on %s', (_kind, bucketOf) => {
  test.each(Object.keys(OPERATIONS))(
    'HIST-01 S3-H1 that is killed at a request to the store loses nothing, and keeps nothing twice: %s',
    async name => {
      const { addressOf, env } = await sharedS3()
      const store = await startTroubled(addressOf(uniqueName('killed'), await bucketOf()))
      let server = await startServer({ root: store.address, env })
      onTestFinished(() => server.stop())
      const visit: Visit = { server, owner: await person(server) }
      let kills = 0
      for (let nth = 1; nth < MOST; nth += STEP) {
        const operation = await OPERATIONS[name]?.(visit, `round${nth}`)
        if (!operation) throw new Error('there is no such operation')
        const before = await reachable(visit.server, visit.owner)
        if (!(await killedAt(store, visit, nth, () => operation.act(visit)))) break
        kills += 1
        await server.end('SIGKILL')
        server = await startServer({ home: server.home, root: store.address, env })
        visit.server = server
        await demandConserved(visit, before, operation.ends ?? [])
      }
      report(`${name}: killed at ${kills} requests`)
      expect(kills).toBeGreaterThan(0)
    },
    900_000,
  )
})

/** Requires that all contents are there once the server has settled its records, and that nothing is there twice. */
async function demandConserved(visit: Visit, before: ReadonlySet<string>, ends: readonly string[]): Promise<void> {
  const may = new Set(ends.map(digest))
  const missing = async () => {
    const now = await reachable(visit.server, visit.owner)
    return [...before].filter(content => !now.has(content) && !may.has(content))
  }
  await expect.poll(missing, { timeout: 20_000 }).toEqual([])
  const twice = async () => {
    const { items }: TrashPage = json(await ask(visit, '/trash'))
    const standing = await Promise.all(items.map(({ path }) => ask(visit, `/resources${path}`)))
    return items.filter((_, index) => standing[index]?.status === 200).map(({ path }) => path)
  }
  await expect.poll(twice, { timeout: 20_000 }).toEqual([])
}
