import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WriteBehind } from './write-behind.ts'

const MIB = 1024 * 1024
let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-behind-'))
  path = join(folder, 'file')
})
afterEach(() => rm(folder, { recursive: true }))

/** Writes so many MiB, one at a time. */
async function fill(behind: WriteBehind, mebibytes: number): Promise<void> {
  for (let count = 0; count < mebibytes; count++) await behind.take(Buffer.alloc(MIB, count))
}

test('what comes is brought to the disk meanwhile, and told of at the end', async () => {
  const file = await open(path, 'w')
  const flush = file.datasync.bind(file)
  let flushes = 0
  file.datasync = () => {
    flushes += 1
    return flush()
  }
  const told: number[] = []
  const behind = new WriteBehind(file, { at: 0, flushEvery: MIB, flushed: async end => void told.push(end) })
  await fill(behind, 5)
  await behind.settle()
  expect(flushes).toBeGreaterThan(0)
  expect(told).toEqual([])
  await behind.flush()
  expect(told).toEqual([5 * MIB])
  await file.close()
  expect(await readFile(path)).toEqual(Buffer.concat([0, 1, 2, 3, 4].map(count => Buffer.alloc(MIB, count))))
})

test('it is told of now and then where that is asked for', async () => {
  const file = await open(path, 'w')
  const told: number[] = []
  const how = { at: 0, flushEvery: MIB, tellEvery: 2 * MIB, flushed: async (end: number) => void told.push(end) }
  const behind = new WriteBehind(file, how)
  for (let part = 0; part < 2; part++) {
    await fill(behind, 3)
    await behind.settle()
  }
  expect(told.length).toBeGreaterThan(0)
  expect(told.every((end, index) => end - (told[index - 1] ?? 0) >= 2 * MIB)).toBe(true)
  await behind.flush()
  expect(told.at(-1)).toBe(6 * MIB)
  await file.close()
})

test('once a disk has failed to keep something, nothing of the file is told to be kept', async () => {
  const file = await open(path, 'w')
  const flush = file.datasync.bind(file)
  // As a disk does: it forgets what it could not keep, and says yes to the next call.
  let failures = 1
  file.datasync = () => (failures-- > 0 ? Promise.reject(new Error('EIO')) : flush())
  const told: number[] = []
  const how = { at: 0, flushEvery: MIB, tellEvery: MIB, flushed: async (end: number) => void told.push(end) }
  const behind = new WriteBehind(file, how)
  await fill(behind, 1)
  await expect(behind.settle()).rejects.toThrow('EIO')
  await behind.salvage()
  await expect(behind.flush()).rejects.toThrow('EIO')
  expect(told).toEqual([])
  await file.close()
})
