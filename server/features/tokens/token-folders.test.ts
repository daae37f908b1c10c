import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { createFiles } from '../../files/files-service.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { memoryFile, memoryFolder } from '../../storage/memory/tree.ts'
import { openMemory } from '../../storage/memory.ts'
import { endingLinks } from '../shares/ending.ts'
import { addUser, BLANK_USER, type StoredUser } from '../users/users.store.ts'
import type { BoundFolder } from './token-folders.store.ts'
import { Tokens } from './tokens.ts'

const CLIENT = { address: '192.0.2.1', agent: 'test' }
const p = parsePath
const UNBOUND = { path: p('/in'), canonical: p('/ann/in'), identity: '' }

let folder: string
let db: Db
let storage: StorageDriver
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filigree-token-folders-'))
  storage = openMemory(memoryFolder({ ann: memoryFolder({ in: memoryFolder({ a: memoryFile('a') }) }) }))
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const filesOn = (store: StorageDriver) =>
  createFiles({
    ...{ storage: store, cluster: openLocalCluster(), globalRules: async () => [] },
    dependents: endingLinks(db),
  })
const tokensOn = (store: StorageDriver) => new Tokens({ db, cluster: openLocalCluster(), files: () => filesOn(store) })
const person = (): Promise<StoredUser> =>
  addUser(db, { ...BLANK_USER, username: 'ann', scope: '/ann', passwordHash: 'x', perm: ALL_PERMISSIONS })

async function create(folders: readonly BoundFolder[], tokens = tokensOn(storage)) {
  const { id } = await person()
  const limits = { label: 'x', scopes: ['write'], networks: [], expiresAt: null } as const
  const { secret, token } = await tokens.create(id, { ...limits, folders })
  return { token, reached: async () => (await tokens.resolve(secret, CLIENT)).user.ceiling }
}

async function replace(): Promise<void> {
  await storage.remove(p('/ann/in'))
  await storage.mkdir(p('/ann/in'))
}

describe('a folder without an identity', () => {
  beforeEach(async () => {
    db = (await openDb(join(folder, 'f.db'))).db
  })

  test('is bound to the object that the first use finds, and to that alone', async () => {
    const { reached } = await create([UNBOUND])
    await replace()
    expect(await reached()).toEqual({ folders: ['/in'] })
    await replace()
    expect(await reached()).toEqual({ folders: [] })
  })

  test('is bound once by requests at the same time', async () => {
    const { reached } = await create([UNBOUND])
    const all = await Promise.all(Array.from({ length: 10 }, reached))
    expect(new Set(all.map(ceiling => ceiling?.folders.length))).toEqual(new Set([1]))
  })

  test('is not bound while it is being removed', async () => {
    const { reached } = await create([UNBOUND])
    await db.updateTable('token_folders').set({ leaving: 1 }).execute()
    expect(await reached()).toEqual({ folders: [] })
  })

  test('follows its folder also before its first use', async () => {
    const { reached, token } = await create([UNBOUND])
    const own = await filesOn(storage).for(ACTOR)
    await own.transfers.move(p('/in'), p('/moved'), { override: false, rename: false })
    await storage.mkdir(p('/ann/in'))
    expect([token.isConfined, await reached()]).toEqual([true, { folders: ['/moved'] }])
  })

  test('of a bucket, which has it by its name, is reached by its name', async () => {
    const bucket = {
      ...storage,
      within: async (...how: Parameters<StorageDriver['within']>) => byName(await storage.within(...how)),
    }
    const { reached } = await create([UNBOUND], tokensOn(bucket))
    await reached()
    await replace()
    expect(await reached()).toEqual({ folders: ['/in'] })
  })
})

const ACTOR = { scope: '/ann', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false }

/** The store as if its folders existed through the objects in them only. */
const byName = (store: StorageDriver): StorageDriver => ({
  ...store,
  async stat(path) {
    const entry = await store.stat(path)
    return entry && { ...entry, isNameOnly: true }
  },
})

test('a token whose folders are gone from the database reaches nothing', async () => {
  db = (await openDb(join(folder, 'f.db'))).db
  const { reached } = await create([UNBOUND])
  await db.deleteFrom('token_folders').execute()
  expect(await reached()).toEqual({ folders: [] })
})

test('a storage that does not answer is no answer about the folder', async () => {
  db = (await openDb(join(folder, 'f.db'))).db
  const away = async () => Promise.reject(new AppError('unavailable'))
  const { reached } = await create([UNBOUND], tokensOn({ ...storage, within: away }))
  await expect(reached()).rejects.toMatchObject({ code: 'unavailable' })
})
