import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import { spareIn } from './cache-in-driver.ts'
import { type SparePlace, spareConformance } from './conformance/cache-store.ts'
import type { SpareFiles, StorageDriver } from './driver.ts'
import { openLocal, spareInFolder } from './local.ts'
import { openMemory } from './memory.ts'

const placeIn = (store: StorageDriver, files: SpareFiles, close = async () => {}): SparePlace => ({
  files,
  again: async () => files,
  plant: async path => void (await store.write(parsePath(`/${path}`), Readable.from(['mine']), {})),
  has: async path => (await store.stat(parsePath(`/${path}`))) !== undefined,
  close,
})

spareConformance('spare files in memory', async () => {
  const store = openMemory()
  return placeIn(store, spareIn(store))
})

async function folderPlace() {
  const root = await mkdtemp(join(tmpdir(), 'filigree-spare-'))
  const store = await openLocal({ root, stagingKey: Buffer.alloc(32) })
  const files = await spareInFolder(store, root)
  return {
    ...placeIn(store, files, () => rm(root, { recursive: true })),
    again: () => spareInFolder(store, root),
    root,
  }
}

spareConformance('spare files in a folder', folderPlace)

test('what a killed process was writing into a folder goes after a day, and nothing else of that kind', async () => {
  const { root, files, close } = await folderPlace()
  onTestFinished(close)
  const names = ['new-0123456789abcdef', 'new-fedcba9876543210', 'new-mine.txt']
  for (const name of names) await writeFile(join(root, name), 'half')
  const old = new Date(Date.now() - 25 * 3_600_000)
  for (const name of [names[0], names[2]]) await utimes(join(root, name ?? ''), old, old)
  expect(await Array.fromAsync(files.list())).toEqual([])
  expect(await readdir(root)).toEqual(names.slice(1))
})

test('what cannot be kept in a folder is told as such, and leaves nothing behind', async () => {
  const { root, files, close } = await folderPlace()
  onTestFinished(close)
  const name = 'ab'.repeat(32)
  await writeFile(join(root, 'ab'), 'mine')
  await expect(files.write(name, Buffer.from('new'))).rejects.toBeInstanceOf(AppError)
  expect(await readdir(root)).toEqual(['ab'])
})
