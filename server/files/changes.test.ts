import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openLocal } from '../storage/local.ts'
import type { Files } from './files.ts'
import { createFiles } from './files-service.ts'

const USER = { id: 1, scope: '/', perm: { ...ALL_PERMISSIONS, admin: false }, rules: [], hideDotfiles: false }
const OVERRIDE = { override: true, rename: false }
const p = parsePath

let root: string
let isLive: boolean
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'recheck-'))
  isLive = true
  await put('tree/a.txt', 'alpha')
  await put('tree/sub/b.txt', 'beta')
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function put(path: string, content: string): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), content)
}
const names = async () => (await readdir(root, { recursive: true })).sort()

/** Ends the session, and waits until the cached result of its check expires. */
async function end(): Promise<void> {
  isLive = false
  await sleep(150)
}

/** The same disk, where the session ends with the first read or the first folder. */
function ending(store: StorageDriver): StorageDriver {
  const { copy: _, move: __, ...rest } = store
  return {
    ...rest,
    within: async (folder, guard) => ending(await store.within(folder, guard)),
    read: path => end().then(() => store.read(path)),
    ...(store.trees && {
      trees: { ...store.trees, reserve: goal => end().then(() => store.trees?.reserve(goal) ?? '') },
    }),
  }
}

async function filesIn(sessionId: string | undefined): Promise<Files> {
  const storage = ending(await openLocal({ root, stagingKey: Buffer.from('a key for tests only') }))
  const service = createFiles({
    storage,
    cluster: openLocalCluster(),
    globalRules: async () => [],
    actorNow: async (_id, session) => (session === undefined || isLive ? USER : undefined),
  })
  return service.for(sessionId === undefined ? USER : { ...USER, sessionId })
}

describe('AUTH-06 a session that ends while', () => {
  test('a folder is copied leaves nothing of the copy', async () => {
    const files = await filesIn('s')
    await expect(files.transfers.copy(p('/tree'), p('/copy'), OVERRIDE)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await names()).toEqual(['tree', 'tree/a.txt', 'tree/sub', 'tree/sub/b.txt'])
  })

  test('a file is copied leaves the existing file', async () => {
    await put('there.txt', 'old')
    const files = await filesIn('s')
    const copied = files.transfers.copy(p('/tree/a.txt'), p('/there.txt'), OVERRIDE)
    await expect(copied).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await readFile(join(root, 'there.txt'), 'utf8')).toBe('old')
  })

  test('folders are merged stops that with the first file', async () => {
    await put('into/c.txt', 'gamma')
    const files = await filesIn('s')
    await expect(files.transfers.copy(p('/tree'), p('/into'), OVERRIDE)).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await names()).filter(name => name.startsWith('into/'))).toEqual(['into/c.txt'])
  })

  test('a folder is moved to another disk leaves it where it was', async () => {
    const files = await filesIn('s')
    await expect(files.transfers.move(p('/tree'), p('/moved'), OVERRIDE)).rejects.toMatchObject({
      code: 'unauthorized',
    })
    expect(await names()).toEqual(['tree', 'tree/a.txt', 'tree/sub', 'tree/sub/b.txt'])
  })
})

test('operations without a session, such as jobs, continue when sessions end', async () => {
  const files = await filesIn(undefined)
  await files.transfers.copy(p('/tree'), p('/copy'), OVERRIDE)
  expect((await names()).filter(name => name.startsWith('copy/'))).toEqual(['copy/a.txt', 'copy/sub', 'copy/sub/b.txt'])
})
