import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import type { AuditPage } from '../../shared/api/audit.ts'
import type { Job } from '../../shared/api/jobs.ts'
import { call, json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { account, basic, openDav } from './dav-place.ts'

const place = await openDav()
const { dav, root, context, server, admin } = place
beforeAll(() => context.startWork())

const LOCKINFO =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'

/** Gives limits other values until the test ends. */
function limit(values: Partial<Record<keyof typeof LIMITS, number>>): void {
  const before = { ...LIMITS }
  Object.assign(LIMITS, values)
  onTestFinished(() => void Object.assign(LIMITS, before))
}

/** A folder of some files, each with its name as its content. */
async function plant(folder: string, files: number): Promise<void> {
  await mkdir(join(folder, 'deep'), { recursive: true })
  for (let file = 0; file < files; file += 1) {
    const name = join(file % 2 ? 'deep' : '', `${file}.txt`)
    await writeFile(join(folder, name), name)
  }
}

async function begin({ files = 20, other = false } = {}) {
  const top = `/${uniqueName('t')}`
  const disk = join(root, top)
  await plant(join(disk, 'from'), files)
  if (other) {
    await mkdir(join(disk, 'to'))
    await writeFile(join(disk, 'to/old.txt'), 'old')
  }
  const { user, session: token } = await account(place, { scope: top })
  const jobs = jobsOf(server, { token })
  const transfer = async (method: string, more: Record<string, string> = {}) => {
    const headers = { Authorization: basic(...user), Destination: '/dav/to', ...more }
    const answer = await fetch(`${place.url}/from`, { method, headers })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() }
  }
  const listed = async () => json(await jobs.list()) as Job[]
  const audited = async () => {
    const page: AuditPage = json(await call(server, `/api/audit?path=${top}`, { token: admin.token }))
    return page.rows.map(({ action, outcome, way }) => ({ action, outcome, way }))
  }
  return { top, disk, user, token, jobs, transfer, listed, audited }
}

const treeOf = async (folder: string) => (await readdir(folder, { recursive: true })).sort()

describe('a COPY of more than a request copies', () => {
  test('is a job whose end the client waits for, and which is not kept then', async () => {
    limit({ davEntriesAtOnce: 5 })
    const { disk, transfer, listed, audited } = await begin()
    const { status, headers } = await transfer('COPY')
    expect([status, headers['x-change']]).toEqual([201, expect.any(String)])
    expect(await treeOf(join(disk, 'to'))).toEqual(await treeOf(join(disk, 'from')))
    expect(await listed()).toEqual([])
    expect(await audited()).toContainEqual({ action: 'copy', outcome: 'done', way: 'dav' })
    expect((await audited()).filter(({ action }) => action === 'copy')).toHaveLength(1)
  })

  test('of a single file counts its bytes', async () => {
    limit({ davBytesAtOnce: 10, davWait: 0 })
    const { disk, jobs, user } = await begin()
    await writeFile(join(disk, 'a.txt'), 'more than ten bytes')
    const { status } = await dav('COPY', '/a.txt', { user, headers: { Destination: '/dav/b.txt' } })
    expect(status).toBe(504)
    const [{ id } = { id: '' }] = json(await jobs.list()) as Job[]
    expect(await jobs.ended(id)).toMatchObject({ state: 'done', kind: 'copy' })
    expect(await readFile(join(disk, 'b.txt'), 'utf8')).toBe('more than ten bytes')
  })

  test('replaces a folder as a whole, which goes to the trash', async () => {
    limit({ davEntriesAtOnce: 5 })
    const { disk, token, transfer } = await begin({ other: true })
    expect((await transfer('COPY')).status).toBe(204)
    expect(await treeOf(join(disk, 'to'))).toEqual(await treeOf(join(disk, 'from')))
    expect(json(await call(server, '/api/trash', { token })).items).toMatchObject([{ path: '/to' }])
    expect((await readdir(disk)).sort()).toEqual(['from', 'to'])
  })

  test('leaves a file alone without Overwrite, and takes its place with it', async () => {
    limit({ davEntriesAtOnce: 5 })
    const { disk, transfer } = await begin()
    await writeFile(join(disk, 'to'), 'a file')
    expect((await transfer('COPY', { Overwrite: 'F' })).status).toBe(412)
    expect(await readFile(join(disk, 'to'), 'utf8')).toBe('a file')
    expect((await transfer('COPY')).status).toBe(204)
    expect(await treeOf(join(disk, 'to'))).toEqual(await treeOf(join(disk, 'from')))
  })

  test('continues when the wait is over, and its job says how it ended', async () => {
    limit({ davEntriesAtOnce: 5, davWait: 0 })
    const { disk, transfer, jobs, token, audited } = await begin({ other: true })
    const { status, headers } = await transfer('COPY')
    expect(status).toBe(504)
    const job = json(await call(server, headers.location ?? '', { token })) as Job
    expect(job).toMatchObject({ kind: 'copy', via: 'dav', first: { from: '/from', to: '/to' } })
    expect(await jobs.ended(job.id)).toMatchObject({ state: 'done', count: { total: 1, done: 1 } })
    expect(await treeOf(join(disk, 'to'))).toEqual(await treeOf(join(disk, 'from')))
    expect((await audited()).filter(({ action }) => action === 'copy')).toEqual([
      { action: 'copy', outcome: 'done', way: 'dav' },
    ])
  })

  test('holds the locks whose tokens its request submitted, and no others', async () => {
    limit({ davEntriesAtOnce: 5 })
    const { disk, user, transfer, listed } = await begin({ other: true })
    const locked = await dav('LOCK', '/to', { user, body: LOCKINFO })
    const token = String(locked.headers['lock-token'])
    expect((await transfer('COPY')).status).toBe(423)
    expect(await readdir(join(disk, 'to'))).toEqual(['old.txt'])
    expect(await listed()).toMatchObject([{ state: 'done', count: { failed: 1 } }])
    expect((await transfer('COPY', { If: `</dav/to> (${token})` })).status).toBe(204)
    expect(await treeOf(join(disk, 'to'))).toEqual(await treeOf(join(disk, 'from')))
  })

  test('names the item inside whose lock refuses it', async () => {
    limit({ davEntriesAtOnce: 5 })
    const { top, disk, transfer } = await begin({ other: true })
    const other = await account(place)
    expect((await dav('LOCK', `${top}/to/old.txt`, { user: other.user, body: LOCKINFO })).status).toBe(200)
    const answer = await transfer('COPY')
    expect(answer.status).toBe(207)
    expect(answer.text).toContain('<D:href>/dav/to/old.txt</D:href><D:status>HTTP/1.1 423')
    expect(await readdir(join(disk, 'to'))).toEqual(['old.txt'])
  })

  test('can be cancelled, which its client learns, and leaves nothing behind', async () => {
    limit({ davEntriesAtOnce: 5 })
    const { top, disk, transfer, jobs, listed } = await begin()
    // As if another change of the goal took long.
    const change = Promise.withResolvers<void>()
    const changing = context.cluster.lock(`file:${top}/to`, () => change.promise)
    const copying = transfer('COPY')
    await expect.poll(async () => (await listed())[0]?.state).toBe('running')
    const [{ id } = { id: '' }] = await listed()
    expect((await jobs.cancel(id)).status).toBe(200)
    change.resolve()
    await changing
    const { status, text } = await copying
    expect([status, text]).toEqual([403, expect.stringContaining('the job was cancelled')])
    expect(await jobs.ended(id)).toMatchObject({ state: 'cancelled' })
    await expect.poll(async () => (await readdir(disk)).sort()).toEqual(['from'])
  })
})

test('a MOVE that only renames is none, however much it moves', async () => {
  limit({ davEntriesAtOnce: 5, davWait: 0 })
  const { disk, transfer, listed } = await begin({ other: true })
  const before = await treeOf(join(disk, 'from'))
  expect((await transfer('MOVE')).status).toBe(204)
  expect(await listed()).toEqual([])
  expect(await treeOf(join(disk, 'to'))).toEqual(before)
  expect((await readdir(disk)).sort()).toEqual(['to'])
})
