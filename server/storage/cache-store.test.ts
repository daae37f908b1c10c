import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import { cacheIn } from './cache-in-driver.ts'
import { type CachePlace, cacheConformance } from './conformance/cache-store.ts'
import type { CacheStore, StorageDriver } from './driver.ts'
import { cacheInFolder, openLocal } from './local.ts'
import { openMemory } from './memory.ts'
import { writeFile as writeStored } from './write-file.ts'

const placeIn = (store: StorageDriver, files: CacheStore, close = async () => {}): CachePlace => ({
  files,
  again: async () => files,
  plant: async path => void (await writeStored(store, parsePath(`/${path}`), Readable.from(['mine']), {})),
  has: async path => (await store.stat(parsePath(`/${path}`))) !== undefined,
  close,
})

cacheConformance('a cache store in memory', async () => {
  const store = openMemory()
  return placeIn(store, cacheIn(store))
})

async function folderPlace() {
  const root = await mkdtemp(join(tmpdir(), 'filigree-cache-'))
  const store = await openLocal({ root, stagingKey: Buffer.alloc(32) })
  const files = await cacheInFolder(store, root)
  return {
    ...placeIn(store, files, () => rm(root, { recursive: true })),
    again: () => cacheInFolder(store, root),
    root,
  }
}

cacheConformance('a cache store in a folder', folderPlace)

test('temporary files of a killed process are removed after a day, and no other files', async () => {
  const { root, files, close } = await folderPlace()
  onTestFinished(close)
  const names = ['new-0123456789abcdef', 'new-fedcba9876543210', 'new-mine.txt']
  for (const name of names) await writeFile(join(root, name), 'half')
  const old = new Date(Date.now() - 25 * 3_600_000)
  for (const name of [names[0], names[2]]) await utimes(join(root, name ?? ''), old, old)
  expect(await Array.fromAsync(files.list())).toEqual([])
  expect(await readdir(root)).toEqual(names.slice(1))
})

test('a failed write to a folder throws an AppError, and leaves nothing behind', async () => {
  const { root, files, close } = await folderPlace()
  onTestFinished(close)
  const name = 'ab'.repeat(32)
  await writeFile(join(root, 'ab'), 'mine')
  await expect(files.write(name, Buffer.from('new'))).rejects.toBeInstanceOf(AppError)
  expect(await readdir(root)).toEqual(['ab'])
})
