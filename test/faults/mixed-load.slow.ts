import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Job } from '../../shared/api/jobs.ts'
import { type Answer, call, encode, json, type Person, person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { tusOf } from '../api/tus.ts'
import { Dice } from '../fuzz/dice.ts'
import { heldBy, leftOver } from '../fuzz/held.ts'
import { watchMemory } from './memory.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'

/** Seconds of load. */
const SECONDS = size('MIXED_LOAD', 30)
/** Seconds of the same before anything is counted: threads start, and caches fill. */
const WARM_UP = 20
const CLIENTS = 8
/** Names that a client writes, moves and deletes. */
const NAMES = 12
const MIB = 2 ** 20
/** Milliseconds until the server is idle: its threads end after a minute without work. */
const REST = 180_000

/** One client, and the folder that it alone changes. */
interface Client {
  server: OwnServer
  owner: Person
  home: string
  dice: Dice
}

interface Tally {
  statuses: Record<string, number>
  /** Seconds of the slowest answer to each operation. */
  slowest: Record<string, number>
  unexpected: string[]
}

const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

const nameIn = ({ home, dice }: Client) => `${home}/${dice.below(NAMES)}.bin`

function patch({ server, owner, home, dice }: Client, action: 'copy' | 'rename', from: string): Promise<Answer> {
  const destination = encode(`${home}/${action} ${dice.below(NAMES)}.bin`)
  const path = `/api/resources${encode(from)}?action=${action}&destination=${destination}&override=true`
  return call(server, path, { method: 'PATCH', token: owner.token })
}

/** Ends a download after its first bytes, or an upload before its last ones. */
async function abandoned({ server, owner }: Client, path: string, how: RequestInit = {}): Promise<undefined> {
  const stop = new AbortController()
  const asked = fetch(`${server.url}${path}`, {
    ...how,
    signal: stop.signal,
    headers: { 'X-Auth': owner.token },
    ...(how.body && { duplex: 'half' }),
  })
  const began = asked.then(answer => answer.body?.getReader().read()).catch(() => {})
  await Promise.race([began, pause(100)])
  stop.abort()
  await began
  return undefined
}

/** A body that stays away after its first MiB. */
const stalled = () =>
  new ReadableStream({
    start: controller => controller.enqueue(Buffer.alloc(MIB)),
  })

const OPERATIONS: Readonly<Record<string, (client: Client) => Promise<Answer | undefined>>> = {
  listing: ({ owner, home }) => owner.get(home),
  'long listing': ({ owner }) => owner.get('/many'),
  download: ({ owner }) => owner.raw('/large.bin'),
  range: ({ owner, dice }) =>
    owner.raw('/large.bin', '', { Range: `bytes=${dice.below(MIB)}-${MIB + dice.below(MIB)}` }),
  'abandoned download': client => abandoned(client, '/api/raw/large.bin'),
  archive: ({ owner, home, dice }) => owner.raw(home, `?algo=${dice.pick(['zip', 'targz', 'tar'])}`),
  'small upload': client => client.owner.put(nameIn(client), 'x'.repeat(client.dice.below(4096)), '?override=true'),
  'large upload': client => client.owner.put(nameIn(client), Buffer.alloc(3 * MIB, 'x'), '?override=true'),
  'abandoned upload': client =>
    abandoned(client, `/api/resources${encode(nameIn(client))}?override=true`, { method: 'POST', body: stalled() }),
  async 'upload in chunks'(client) {
    const { server, owner } = client
    const [tus, name] = [tusOf(server, owner), nameIn(client)]
    const begun = await tus.create(name, 2 * MIB, { query: '?override=true' })
    if (begun.status !== 201) return begun
    await tus.patch(name, 0, Buffer.alloc(MIB, 'y'))
    return tus.patch(name, MIB, Buffer.alloc(MIB, 'z'))
  },
  copy: client => patch(client, 'copy', nameIn(client)),
  move: client => patch(client, 'rename', nameIn(client)),
  deletion: client => client.owner.remove(nameIn(client)),
  async 'copy of a folder'({ server, owner, home, dice }) {
    const to = `${home}/copies/${dice.below(3)}`
    return jobsOf(server, owner).ask({ kind: 'copy', items: [{ from: '/many', to }], conflict: 'replace' })
  },
  'deletion of a folder': ({ owner, home, dice }) => owner.remove(`${home}/copies/${dice.below(3)}`),
  search: ({ server, owner, dice }) => call(server, `/api/search/?query=${dice.below(100)}`, { token: owner.token }),
  usage: ({ owner, home }) => owner.usage(home),
  checksum: ({ owner }) => owner.get('/large.bin', '?checksum=sha256'),
  thumbnail: ({ server, owner }) => call(server, '/api/preview/thumb/dot.png', { token: owner.token }),
  async 'undo of a deletion'({ server, owner }) {
    const { token } = owner
    const [last] = json(await call(server, '/api/changes?undoable=true', { token })).items
    return last && call(server, `/api/changes/${last.id}/undo`, { method: 'POST', token, body: '{"offer":"copy"}' })
  },
}

/** What a request counts as whose connection is closed. */
function closed(thrown: unknown): Answer {
  if (!(thrown instanceof TypeError)) throw thrown
  return { status: 0, headers: new Headers(), bytes: Buffer.alloc(0), text: String(thrown.cause) }
}

/** Whose connection may close early: files of an archive change while they are packed. */
const MAY_CLOSE = 'archive'

/** Repeats random operations until a time. Refusals are answers, too: others change the same names. */
async function load(client: Client, until: number, { statuses, slowest, unexpected }: Tally): Promise<void> {
  while (performance.now() < until) {
    const [what, act] = client.dice.pick(Object.entries(OPERATIONS))
    const began = performance.now()
    const answer = await act(client).catch(closed)
    slowest[what] = Math.max(slowest[what] ?? 0, Math.round((performance.now() - began) / 1000))
    const key = `${answer?.status ?? 'abandoned'}`
    statuses[key] = (statuses[key] ?? 0) + 1
    if ((answer?.status === 0 && what !== MAY_CLOSE) || (answer && answer.status >= 500))
      unexpected.push(`${what}: ${answer.status} ${answer.text.slice(0, 200)}`)
  }
}

/** Jobs that still wait or run are cancelled at the end: a slow machine has many of them. */
async function loadAll(clients: readonly Client[], seconds: number): Promise<Tally> {
  const tally: Tally = { statuses: {}, slowest: {}, unexpected: [] }
  const until = performance.now() + seconds * 1000
  await Promise.all(clients.map(client => load(client, until, tally)))
  await Promise.all(clients.map(cancelJobs))
  return tally
}

async function cancelJobs({ server, owner }: Client): Promise<void> {
  const jobs = jobsOf(server, owner)
  const all: Job[] = json(await jobs.list())
  for (const { id, ended } of all) if (ended === undefined) await jobs.cancel(id)
}

async function fill(root: string): Promise<string> {
  const large = randomBytes(8 * MIB)
  await writeFile(join(root, 'large.bin'), large)
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='
  await writeFile(join(root, 'dot.png'), Buffer.from(dot, 'base64'))
  await mkdir(join(root, 'many'))
  for (let index = 0; index < 1000; index += 1) await writeFile(join(root, 'many', `${index}.txt`), `${index}`)
  return digest(large)
}

const stagedIn = async (root: string) =>
  (await readdir(root, { recursive: true })).filter(name => /(^|\/)\.~fg-[0-9a-f]{32}$/.test(name))

test(
  `after ${SECONDS} seconds of mixed load, descriptors, threads and memory are those of before`,
  async () => {
    const server = await serve()
    const large = await fill(server.root)
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index): Promise<Client> => {
        const owner = await person(server)
        await owner.put(`/client ${index}/`)
        return { server, owner, home: `/client ${index}`, dice: new Dice(SEED + index) }
      }),
    )
    await loadAll(clients, WARM_UP)
    await pause(5000)
    const before = await heldBy(server.pid, server.root)
    const most = watchMemory(server.pid)
    const { statuses, slowest, unexpected } = await loadAll(clients, SECONDS)
    const highest = most()
    const now = () => heldBy(server.pid, server.root)
    try {
      await expect.poll(async () => leftOver(before, await now()), { timeout: REST, interval: 2000 }).toEqual([])
      await expect.poll(() => stagedIn(server.root), { timeout: REST, interval: 2000 }).toEqual([])
    } finally {
      const after = await now()
      const told = ({ descriptors, threads, memory }: typeof after) =>
        `${descriptors} descriptors, ${threads} threads, ${memory.toFixed()} MiB`
      report(
        `mixed load of ${SECONDS} s by ${CLIENTS} clients: before ${told(before)}; after ${told(after)}; highest ${highest} MiB; ${JSON.stringify(statuses)}; slowest ${JSON.stringify(slowest)}`,
      )
    }
    expect(unexpected).toEqual([])
    expect(digest((await person(server).then(owner => owner.raw('/large.bin'))).bytes)).toBe(large)
  },
  (WARM_UP + SECONDS) * 1000 + 3 * REST,
)
