import { readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import type { Db } from '../db/schema.ts'
import { createFiles } from '../files/files-service.ts'
import type { Hooks } from '../files/hooks.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openPlace } from './test-place.ts'
import { trashRecords } from './trash.ts'

const A = parsePath('/a.txt')
const USER = { id: 1, username: 'anna', scope: '/', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false }

let root: string
let db: Db
let storage: StorageDriver

beforeEach(async () => {
  ;({ root, db, storage } = await openPlace())
  await writeFile(join(root, 'a.txt'), 'old')
})

/** The same store, where something happens after each look at what is to be set aside. */
function afterPlans(store: StorageDriver, act: () => Promise<void>): StorageDriver {
  const { kept, within } = store
  if (!kept) throw new Error('this store keeps nothing')
  return {
    ...store,
    within: async (...where) => afterPlans(await within(...where), act),
    kept: { ...kept, plan: (...what) => kept.plan(...what).then(planned => act().then(() => planned)) },
  }
}

const filesIn = (store: StorageDriver, hooks?: Hooks) =>
  createFiles({
    ...{ storage: store, cluster: openLocalCluster(), globalRules: async () => [], trash: trashRecords(db), hooks },
  }).for(USER)

/** Another program replaces the file, the first so many times. */
function swaps(times: number): () => Promise<void> {
  let done = 0
  return async () => {
    if (done++ >= times) return
    await writeFile(join(root, 'other'), `new ${done}`)
    await rename(join(root, 'other'), join(root, 'a.txt'))
  }
}

const content = () => readFile(join(root, 'a.txt'), 'utf8').catch(() => undefined)
const rows = () => db.selectFrom('kept').select(['id', 'state', 'identity', 'size']).execute()

/** The files in the trash on the disk, and their notes. */
async function inArea(): Promise<string[]> {
  const area = (await readdir(root)).find(name => name.startsWith('.filigree-'))
  const inner = ['files', 'info'].map(name => readdir(join(root, area ?? '', 'trash', name)).catch(() => []))
  return (await Promise.all(inner)).flat()
}

test('TRASH-08 what took the name of a file between the look and the rename is in the trash with a row of its own', async () => {
  const own = await filesIn(afterPlans(storage, swaps(2)))
  const id = await own.remove(A)
  expect(await content()).toBeUndefined()
  const seen = await own.trash.find(id ?? '')
  expect(await rows()).toEqual([{ id, state: 'kept', identity: seen.identity, size: 'new 2'.length }])
  expect(await inArea()).toHaveLength(2)
  await own.trash.restore(id ?? '', {})
  expect(await content()).toBe('new 2')
  expect((await storage.stat(A))?.identity).toBe(seen.identity)
})

test('TRASH-08 a file that is replaced with every look is not deleted, and leaves no row', async () => {
  const own = await filesIn(afterPlans(storage, swaps(100)))
  await expect(own.remove(A)).rejects.toMatchObject({ code: 'not_found' })
  expect([await content(), await rows(), await inArea()]).toEqual(['new 5', [], []])
})

test('TRASH-08 where only one object is meant, another one that takes its name stays', async () => {
  const own = await filesIn(afterPlans(storage, swaps(1)))
  const only = (await own.identify(A)) ?? ''
  await expect(own.remove(A, { only })).rejects.toMatchObject({ code: 'not_found' })
  expect([await content(), await rows(), await inArea()]).toEqual(['new 1', [], []])
})

test.each([false, true])('TRASH-08 it stays as well where a hook puts it there; for good: %s', async permanent => {
  const swap = swaps(1)
  const own = await filesIn(storage, { around: (_name, _facts, act) => swap().then(act) })
  const only = (await own.identify(A)) ?? ''
  await expect(own.remove(A, { only, permanent })).rejects.toMatchObject({ code: 'not_found' })
  expect([await content(), await rows(), await inArea()]).toEqual(['new 1', [], []])
})

test('TRASH-08 where only one object is meant, it is deleted, also a link, whose identity is that of its target', async () => {
  const own = await filesIn(storage)
  await rename(join(root, 'a.txt'), join(root, 'target'))
  await symlink('target', join(root, 'a.txt'))
  const only = (await own.identify(A)) ?? ''
  expect(await own.remove(A, { only })).toBeDefined()
  expect((await readdir(root)).filter(name => !name.startsWith('.'))).toEqual(['target'])
})
