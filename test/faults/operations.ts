import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { zipSync } from 'fflate'
import type { JobRequest } from '../../shared/api/jobs.ts'
import { call, encode, json, type Person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { offsetOf, tusOf } from '../api/tus.ts'
import { unpack } from '../api/unpack.ts'

/** Files by path below a folder, each with the digest of its content. */
export type Contents = Readonly<Record<string, string>>

/** The caller of a server that restarts after each kill; their session survives. */
export interface Visit {
  server: OwnServer
  owner: Person
}

/** An operation that changes files, and the states before and after it. */
export interface Operation {
  before: Contents
  after: Contents
  /** @returns whether the server reported success */
  act(visit: Visit): Promise<boolean>
  /** What a client does after the server is back, for operations that do not end with the server. */
  resume?(visit: Visit): Promise<void>
}

/** Where an operation runs: a folder on the disk and its path on the wire. */
export interface Stage {
  disk: string
  path: string
}

const MB = 2 ** 20
/** Observes the content of a folder while it changes. */
const MAX_ATTEMPTS = 20
const SIZE = 3 * MB
const PIECE = MB
/** Files of a tree, in a few folders. */
const TREE = Array.from({ length: 24 }, (_, index) => `${index % 3 === 0 ? '' : `sub${index % 3}/`}file${index}.bin`)
/** Placeholder for an archive, whose bytes may differ each time. */
const ARCHIVE = 'an archive that holds everything'

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Everything below a folder, in the form of the operations; temporary files of the server are left out. */
export async function contentsOf(folder: string): Promise<Contents> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await contentsNow(folder)
    } catch (thrown) {
      // Another server may resume what a killed one began.
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw thrown
    }
  }
}

async function contentsNow(folder: string): Promise<Contents> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const found: Record<string, string> = {}
  for (const file of files.filter(name => !isLeftover(name))) {
    const bytes = await readFile(file)
    found[file.slice(folder.length + 1)] = file.endsWith('.tar') ? await nameOfArchive(bytes) : sha(bytes)
  }
  return found
}

export const isLeftover = (path: string) => path.includes('/.~fg-')

/** The content of an archive of a tree. */
async function nameOfArchive(bytes: Buffer): Promise<string> {
  const names = Object.keys(await unpack(bytes, '.tar').catch(() => ({}))).filter(name => !name.endsWith('/'))
  return names.length === TREE.length ? ARCHIVE : `an archive with ${names.length} files`
}

async function plant({ disk }: Stage, names: readonly string[], size = SIZE): Promise<Record<string, string>> {
  const planted: Record<string, string> = {}
  for (const name of names) {
    const bytes = randomBytes(size)
    await mkdir(dirname(join(disk, name)), { recursive: true })
    await writeFile(join(disk, name), bytes)
    planted[name] = sha(bytes)
  }
  return planted
}

const plantTree = (stage: Stage, top: string) =>
  plant(
    stage,
    TREE.map(name => `${top}/${name}`),
    20_000,
  )

/** The same files under another folder. */
const movedTo = (files: Contents, from: string, to: string): Contents =>
  Object.fromEntries(Object.entries(files).map(([name, hash]) => [`${to}${name.slice(from.length)}`, hash]))

async function isDone(answer: Promise<{ status: number }>): Promise<boolean> {
  const { status } = await answer.catch(() => ({ status: 0 }))
  if (status >= 400) throw new Refusal(status)
  return status > 0
}

/** The server refused. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`refused with ${status}`)
    this.status = status
  }
}

/** Uploads a file in one request. */
async function sending(stage: Stage, name: string, method: 'POST' | 'PUT', before: Contents): Promise<Operation> {
  const content = randomBytes(SIZE)
  const path = `/api/resources${encode(`${stage.path}/${name}`)}${method === 'POST' ? '?override=true' : ''}`
  return {
    before,
    after: { ...before, [name]: sha(content) },
    act: ({ server, owner: { token } }) => isDone(call(server, path, { method, token, body: content })),
  }
}

/** Copies or renames one file over another by the wire's own call. */
async function transferring(stage: Stage, action: 'copy' | 'rename'): Promise<Operation> {
  const before = await plant(stage, ['from.bin', 'to.bin'])
  const [from = '', to = ''] = ['from.bin', 'to.bin'].map(name => encode(`${stage.path}/${name}`))
  const path = `/api/resources${from}?action=${action}&destination=${to}&override=true`
  const moved = { 'to.bin': before['from.bin'] ?? '' }
  return {
    before,
    after: action === 'copy' ? { ...before, ...moved } : moved,
    act: ({ server, owner: { token } }) => isDone(call(server, path, { method: 'PATCH', token })),
  }
}

async function inPieces(stage: Stage): Promise<Operation> {
  const before = await plant(stage, ['big.bin'])
  const content = randomBytes(SIZE)
  const path = `${stage.path}/big.bin`
  const rest = async ({ server, owner }: Visit, from: number) => {
    for (let offset = from; offset < SIZE; offset += PIECE) {
      const piece = content.subarray(offset, offset + PIECE)
      const digest = createHash('sha256').update(piece).digest('base64')
      const headers = { 'Upload-Checksum': `sha256 ${digest}` }
      if (!(await isDone(tusOf(server, owner).patch(path, offset, piece, { headers })))) return false
    }
    return true
  }
  const begin = ({ server, owner }: Visit) =>
    isDone(tusOf(server, owner).create(path, SIZE, { query: '?override=true' }))
  return {
    before,
    after: { 'big.bin': sha(content) },
    act: async visit => (await begin(visit)) && rest(visit, 0),
    async resume(visit) {
      const state = await tusOf(visit.server, visit.owner).head(path)
      const there = await readFile(join(stage.disk, 'big.bin'))
      if (state.status === 200) await rest(visit, Number(offsetOf(state)))
      else if (!there.equals(content)) await begin(visit).then(() => rest(visit, 0))
    },
  }
}

/** A job, which the server resumes automatically. */
function job({ path }: Stage, before: Contents, after: Contents, request: (path: string) => JobRequest): Operation {
  return {
    before,
    after,
    async act({ server, owner }) {
      const answer = await jobsOf(server, owner)
        .ask(request(path))
        .catch(() => undefined)
      if (answer && answer.status >= 400) throw new Refusal(answer.status)
      if (answer?.status !== 200) return false
      const failed = json(answer).items.find(({ state }: { state: string }) => state !== 'done')
      if (failed) throw new Refusal(failed.code === 'no_space' ? 507 : 503)
      return true
    },
    async resume({ server, owner }) {
      const jobs = jobsOf(server, owner)
      for (const { id } of json(await jobs.list())) {
        await jobs.ended(id)
        await jobs.forget(id)
      }
    },
  }
}

async function copyJob(stage: Stage): Promise<Operation> {
  const before = await plantTree(stage, 'tree')
  const after = { ...before, ...movedTo(before, 'tree', 'copy') }
  return job(stage, before, after, path => ({ kind: 'copy', items: [{ from: `${path}/tree`, to: `${path}/copy` }] }))
}

async function mergeJob(stage: Stage, kind: 'copy' | 'move'): Promise<Operation> {
  const [tree, other] = [await plantTree(stage, 'tree'), await plantTree(stage, 'to')]
  const arrived = movedTo(tree, 'tree', 'to')
  const after = kind === 'copy' ? { ...tree, ...arrived } : arrived
  const items = (path: string) => [{ from: `${path}/tree`, to: `${path}/to` }]
  return job(stage, { ...tree, ...other }, after, path => ({ kind, conflict: 'replace', items: items(path) }))
}

async function deleteJob(stage: Stage): Promise<Operation> {
  const before = await plantTree(stage, 'tree')
  return job(stage, before, {}, path => ({ kind: 'delete', items: [{ from: `${path}/tree` }] }))
}

async function archiveJob(stage: Stage): Promise<Operation> {
  const before = await plantTree(stage, 'tree')
  const archive = (path: string) => ({ to: `${path}/all.tar`, format: 'tar' })
  return job(stage, before, { ...before, 'all.tar': ARCHIVE }, path => ({
    kind: 'archive',
    items: [{ from: `${path}/tree` }],
    archive: archive(path),
  }))
}

async function extractJob(stage: Stage): Promise<Operation> {
  const contents = TREE.map(name => [`tree/${name}`, randomBytes(20_000)] as const)
  const archive = Buffer.from(zipSync(Object.fromEntries(contents), { level: 0 }))
  await writeFile(join(stage.disk, 'tree.zip'), archive)
  const before = { 'tree.zip': sha(archive) }
  const out = Object.fromEntries(contents.map(([name, bytes]) => [`out/${name}`, sha(bytes)]))
  const items = (path: string) => [{ from: `${path}/tree.zip`, to: `${path}/out` }]
  return job(stage, before, { ...before, ...out }, path => ({ kind: 'extract', items: items(path) }))
}

async function download(stage: Stage): Promise<Operation> {
  const before = await plantTree(stage, 'tree')
  const path = `/api/raw${encode(`${stage.path}/tree`)}?algo=zip`
  return { before, after: before, act: ({ server, owner: { token } }) => isDone(call(server, path, { token })) }
}

/** Every operation by its name, prepared in a folder of its own. */
const OPERATIONS: Readonly<Record<string, (stage: Stage) => Promise<Operation>>> = {
  'POST over a file': async stage => sending(stage, 'a.bin', 'POST', await plant(stage, ['a.bin'])),
  'POST into new folders': stage => sending(stage, 'new/folder/a.bin', 'POST', {}),
  'PUT (save)': async stage => sending(stage, 'a.bin', 'PUT', await plant(stage, ['a.bin'])),
  'upload in pieces': inPieces,
  'copy over a file': stage => transferring(stage, 'copy'),
  'rename over a file': stage => transferring(stage, 'rename'),
  'job: copy a folder': copyJob,
  'job: merge by copying': stage => mergeJob(stage, 'copy'),
  'job: merge by moving': stage => mergeJob(stage, 'move'),
  'job: delete a folder': deleteJob,
  'job: pack a folder': archiveJob,
  'job: take an archive out': extractJob,
  'download of a folder': download,
}

/** The names of all operations. */
export const NAMES = Object.keys(OPERATIONS)

/** The names of those that change something. */
export const CHANGES = NAMES.filter(name => !name.startsWith('download'))

/** Prepares an operation in an existing, empty folder. */
export function prepare(name: string, stage: Stage): Promise<Operation> {
  const make = OPERATIONS[name]
  if (!make) throw new Error(`There is no operation ${name}`)
  return make(stage)
}

/** Prepares an operation in a new folder of a server. */
export async function prepareIn(
  { server }: Visit,
  folder: string,
  name: string,
): Promise<{ stage: Stage; operation: Operation }> {
  const stage: Stage = { disk: join(server.root, folder), path: `/${folder}` }
  await mkdir(stage.disk)
  return { stage, operation: await prepare(name, stage) }
}
