import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Job } from '../../shared/api/jobs.ts'
import { json, person } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'

/** Milliseconds from the start of the server, which resumes its jobs, to each kill. */
const MOMENTS = [20, 80, 200]
const FOLDERS = ['0', '1', '2', '3']
const FILES = 30

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Every file below a folder with its content. */
async function content(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const pairs = files.map(async file => [file.slice(folder.length), sha(await readFile(file))] as const)
  return Object.fromEntries(await Promise.all(pairs))
}

/** `copied` and `moved` go to a folder each; `merged` goes into one that holds other versions of the same files. */
async function plant(root: string): Promise<void> {
  for (const folder of FOLDERS) {
    for (let file = 0; file < FILES; file++) {
      const name = join(folder, file % 2 === 0 ? '.' : 'deep', `${file}.bin`)
      for (const top of ['copied', 'moved', 'removed', 'merged', 'old']) {
        await mkdir(join(root, top, name, '..'), { recursive: true })
        await writeFile(join(root, top, name), randomBytes(file * 500))
      }
    }
  }
  for (const top of ['copy', 'move']) await mkdir(join(root, top))
}

const items = (from: string, to: string) => FOLDERS.map(name => ({ from: `/${from}/${name}`, to: `/${to}/${name}` }))
const DONE = { state: 'done', count: { total: 4, done: 4, failed: 0, skipped: 0, cancelled: 0 } }

test('CRASH-02 jobs finish despite repeated kills, with every file old or new at any time', async () => {
  let server: OwnServer = await startServer({ prepare: ({ root }) => plant(root) })
  onTestFinished(() => server.stop())
  const at = (name: string) => join(server.root, name)
  const [copied, moved, merged, old] = await Promise.all(['copied', 'moved', 'merged', 'old'].map(n => content(at(n))))
  const owner = await person(server)
  const runAt = new Date(Date.now() + 50).toISOString()
  const ask = async (request: object) => json(await jobsOf(server, owner).ask({ ...request, runAt })).id as string
  const ids = await Promise.all([
    ask({ kind: 'copy', items: items('copied', 'copy') }),
    ask({ kind: 'move', items: items('moved', 'move') }),
    ask({ kind: 'copy', items: items('merged', 'old'), conflict: 'replace' }),
    ask({ kind: 'delete', items: items('removed', '') }),
  ])
  for (const moment of MOMENTS) {
    await new Promise(resolve => setTimeout(resolve, moment))
    await server.end('SIGKILL')
    expect(await content(at('copied'))).toEqual(copied)
    for (const folder of FOLDERS.filter(name => existsSync(at(`copy/${name}`)))) {
      expect(await content(at(`copy/${folder}`))).toEqual(await content(at(`copied/${folder}`)))
    }
    expect({ ...(await content(at('moved'))), ...(await content(at('move'))) }).toEqual(moved)
    const now = await content(at('old'))
    for (const [name, hash] of Object.entries(old ?? {})) expect([hash, merged?.[name]]).toContain(now[name])
    server = await startServer({ home: server.home, root: server.root })
  }
  for (const id of ids) {
    const job: Job = await jobsOf(server, owner).ended(id)
    expect([job.kind, job.items?.filter(({ state }) => state === 'failed')]).toEqual([job.kind, []])
    expect(job).toMatchObject(DONE)
  }
  expect(await content(at('copied'))).toEqual(copied)
  expect(await content(at('copy'))).toEqual(copied)
  expect([await content(at('move')), await content(at('moved'))]).toEqual([moved, {}])
  expect(await readdir(at('removed'))).toEqual([])
  expect((await readdir(at('copy'))).sort()).toEqual(FOLDERS)
})

test('a paused job stays paused after a kill, and waits for its time again once it is resumed', async () => {
  const first = await startServer({ prepare: ({ root }) => writeFile(join(root, 'a'), 'a') })
  const owner = await person(first)
  const runAt = new Date(Date.now() + 3_600_000).toISOString()
  const items = [{ from: '/a', to: '/b' }]
  const { id } = json(await jobsOf(first, owner).ask({ kind: 'copy', items, runAt }))
  const soon = json(await jobsOf(first, owner).ask({ kind: 'copy', items: [{ from: '/a', to: '/c' }], runAt })).id
  for (const job of [id, soon]) await jobsOf(first, owner).pause(job, true)
  await first.end('SIGKILL')
  const second = await startServer({ home: first.home, root: first.root })
  onTestFinished(() => second.stop())
  const jobs = jobsOf(second, owner)
  expect(json(await jobs.get(id))).toMatchObject({ state: 'paused' })
  await jobs.pause(id, false)
  expect(json(await jobs.get(id))).toMatchObject({ state: 'waiting', runAt })
  expect(json(await jobs.cancel(soon))).toMatchObject({ state: 'cancelled' })
  expect((await readdir(second.root)).sort()).toEqual(['a'])
})
