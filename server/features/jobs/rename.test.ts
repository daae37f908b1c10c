import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db, JobItemsTable, JobsTable } from '../../db/schema.ts'
import type { Files } from '../../files/files.ts'
import { createFiles } from '../../files/files-service.ts'
import { insertJob } from '../../jobs/jobs.store.ts'
import { openLocal } from '../../storage/local.ts'
import { takeBackCycle } from './rename.ts'

let home: string
let root: string
let db: Db
let files: Files

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'rename-'))
  root = join(home, 'root')
  await mkdir(root)
  db = (await openDb(join(home, 'filigree.db'))).db
  const storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  const service = createFiles({ storage, cluster: openLocalCluster(), globalRules: async () => [] })
  files = await service.for({ scope: '/', perm: { ...ALL_PERMISSIONS, admin: false }, rules: [], hideDotfiles: false })
  for (const name of ['a', 'b', 'c']) await writeFile(join(root, name), name)
})

afterEach(async () => {
  await db.destroy()
  await rm(home, { recursive: true, force: true })
})

const contents = async () => {
  const names = await readdir(root)
  return Object.fromEntries(
    await Promise.all(names.map(async name => [name, await readFile(join(root, name), 'utf8')])),
  )
}

/** A job that renames a to b, b to c and c to a, of which the server has recorded the move with this index last. */
async function cycleUntil(step: number): Promise<{ job: JobsTable; first: JobItemsTable }> {
  const identities = await Promise.all(['/a', '/b', '/c'].map(path => files.identify(parsePath(path))))
  const journal = JSON.stringify({ temp: '/a~temp', step, identities })
  const row = { conflict: null, code: null, job_id: 'job' }
  const items: JobItemsTable[] = [
    { ...row, position: 0, source: '/a', target: '/b', state: 'running', journal },
    { ...row, position: 1, source: '/b', target: '/c', state: 'waiting', journal: null },
    { ...row, position: 2, source: '/c', target: '/a', state: 'waiting', journal: null },
  ]
  const job: JobsTable = {
    id: 'job',
    kind: 'rename',
    user_id: 1,
    session_id: '',
    scope: '/',
    payload: JSON.stringify({ cycles: [[0, 3]] }),
    state: 'running',
    code: null,
    stop: 0,
    created_at: 0,
    run_at: 0,
    started_at: 0,
    ended_at: null,
    owner: null,
    heartbeat: 0,
    progress: '{}',
    origin: '{}',
  }
  await insertJob(db, job, items)
  const [first] = items as [JobItemsTable]
  return { job, first }
}

/** The moves of the cycle, in order. */
const MOVES = [
  ['a', 'a~temp'],
  ['c', 'a'],
  ['b', 'c'],
  ['a~temp', 'b'],
] as const

test.each([0, 1, 2, 3, 4])(
  'BREN-01 a cycle is taken back after %i of its moves, whether or not the next one began',
  async done => {
    for (const recorded of [done - 1, done]) {
      if (recorded < 0 || recorded >= MOVES.length) continue
      await db.deleteFrom('jobs').execute()
      const { job, first } = await cycleUntil(recorded)
      for (const [from, to] of MOVES.slice(0, done)) await rename(join(root, from), join(root, to))
      await takeBackCycle(files, db, job, first)
      expect(await contents()).toEqual({ a: 'a', b: 'b', c: 'c' })
    }
  },
)

test('BREN-01 a cycle that is taken back replaces nothing that has one of its names by then', async () => {
  const { job, first } = await cycleUntil(2)
  for (const [from, to] of MOVES.slice(0, 3)) await rename(join(root, from), join(root, to))
  await writeFile(join(root, 'b'), 'new')
  await takeBackCycle(files, db, job, first)
  expect(await contents()).toEqual({ a: 'a', b: 'new', 'b(1)': 'b', c: 'c' })
})
