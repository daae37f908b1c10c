import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../shared/api/users.ts'
import { parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { createFiles, type FilesService } from '../../files/files-service.ts'
import { type MemoryFolder, memoryFile, memoryFolder, place } from '../../storage/memory/tree.ts'
import { openMemory } from '../../storage/memory.ts'
import { BLANK_USER } from '../users/users.store.ts'
import { insertUpload } from './uploads.store.ts'
import { MAX_UPLOADS, UPLOAD_LIFETIME, Uploads } from './uploads.ts'

const user = { ...BLANK_USER, id: 7, username: 'u', password: '', perm: ALL_PERMISSIONS } as User
const p = parsePath
/** For uploads of users, which are none. */
const NO_DELIVERIES = { arrived: async () => {}, gone: async () => {} }

let home: string
let db: Db
let tree: MemoryFolder
let files: FilesService
let uploads: Uploads
let now: number

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'uploads-'))
  ;({ db } = await openDb(join(home, 'f.db')))
  tree = memoryFolder({ team: memoryFolder() })
  now = Date.now()
  const cluster = openLocalCluster()
  files = createFiles({ storage: openMemory(tree), cluster, globalRules: async () => [] })
  uploads = new Uploads({ files, db, cluster, deliveries: NO_DELIVERIES, now: () => now })
})

afterEach(async () => {
  await db.destroy()
  await rm(home, { recursive: true, force: true })
})

const chunk = (offset: number, content: string) => ({
  offset,
  body: Readable.from([Buffer.from(content)]),
  length: content.length,
  signal: new AbortController().signal,
  received: () => 0,
})

async function refusal(operation: Promise<unknown>): Promise<string> {
  const thrown = await operation.then(
    () => undefined,
    (error: unknown) => error,
  )
  return thrown instanceof AppError ? thrown.code : 'done'
}

const contentOf = async (path: string) => text((await (await files.for(user)).open(p(path))).stream())
const rows = () => db.selectFrom('uploads').selectAll().execute()

describe('an abandoned upload', () => {
  test('UPL-09 expires after a day, and only its own data is removed', async () => {
    await uploads.create(user, p('/a'), { override: true, length: 6 })
    await uploads.append({ user, path: p('/a') }, () => chunk(0, 'abc'))
    place(tree, 'a', memoryFile('written concurrently by another program'))
    now += UPLOAD_LIFETIME + 1
    expect(await refusal(uploads.state({ user, path: p('/a') }))).toBe('not_found')
    await uploads.sweep()
    expect(await rows()).toEqual([])
    expect(await contentOf('/a')).toBe('written concurrently by another program')
  })

  test('is kept alive by requests for its state', async () => {
    await uploads.create(user, p('/a'), { override: false, length: 6 })
    for (let day = 0; day < 3; day++) {
      now += UPLOAD_LIFETIME - 1
      expect(await uploads.state({ user, path: p('/a') })).toMatchObject({ offset: 0, length: 6 })
    }
  })

  test('is also removed when its user’s folder was deleted', async () => {
    const other = { ...user, id: 8, scope: '/team' }
    await uploads.create(other, p('/a'), { override: false, length: 6 })
    place(tree, 'team', undefined)
    now += UPLOAD_LIFETIME + 1
    await uploads.sweep()
    expect(await rows()).toEqual([])
  })
})

test('UPL-14 rights revoked during an upload prevent its publication', async () => {
  place(tree, 'a', memoryFile('old'))
  await uploads.create(user, p('/a'), { override: true, length: 3 })
  const less = { ...user, perm: { ...NO_PERMISSIONS, create: true } }
  expect(await refusal(uploads.append({ user: less, path: p('/a') }, () => chunk(0, 'new')))).toBe('forbidden')
  expect(await contentOf('/a')).toBe('old')
  expect(await refusal(uploads.state({ user: { ...user, perm: NO_PERMISSIONS }, path: p('/a') }))).toBe('forbidden')
})

test('an upload does not follow its user into another scope', async () => {
  await uploads.create(user, p('/a'), { override: false, length: 3 })
  expect(
    await refusal(uploads.append({ user: { ...user, scope: '/team' }, path: p('/a') }, () => chunk(0, 'abc'))),
  ).toBe('not_found')
})

test('UPL-22 the unfinished uploads of a user are limited', async () => {
  const row = {
    user_id: 7,
    scope: '.',
    staged: 'x',
    length: 1,
    offset: 0,
    override: 0,
    if_match: null,
    modified: null,
    checksum: null,
    unmodified_since: null,
    link: null,
    created_at: now,
  }
  for (let index = 0; index < MAX_UPLOADS; index++) {
    await insertUpload(db, { ...row, id: `${index}`, path: `/${index}`, expires_at: now + UPLOAD_LIFETIME })
  }
  expect(await refusal(uploads.create(user, p('/a'), { override: false, length: 5 }))).toBe('too_many_attempts')
  expect(await refusal(uploads.create({ ...user, id: 9 }, p('/a'), { override: false, length: 5 }))).toBe('done')
})

test('an upload that was complete when the server ended is published at the next request for its state', async () => {
  await uploads.create(user, p('/a'), { override: false, length: 3 })
  const [row] = await rows()
  const own = await files.for(user)
  await Array.fromAsync(own.writer.append(row?.staged ?? '', 0, Readable.from([Buffer.from('abc')]), { most: 3 }))
  await db.updateTable('uploads').set({ offset: 3 }).execute()
  expect(await uploads.state({ user, path: p('/a') })).toEqual({ offset: 3, length: 3, path: '/a' })
  expect(await contentOf('/a')).toBe('abc')
  expect(await rows()).toEqual([])
})
