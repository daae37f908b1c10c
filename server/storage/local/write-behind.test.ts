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

/** Writes a number of MiB, one at a time. */
async function fill(behind: WriteBehind, mebibytes: number): Promise<void> {
  for (let count = 0; count < mebibytes; count++) await behind.take(Buffer.alloc(MIB, count))
}

test('data is flushed while more arrives, and reported at the end', async () => {
  const file = await open(path, 'w')
  const flush = file.datasync.bind(file)
  let flushes = 0
  file.datasync = () => {
    flushes += 1
    return flush()
  }
  const reported: number[] = []
  const behind = new WriteBehind(file, { at: 0, flushEvery: MIB, flushed: async end => void reported.push(end) })
  await fill(behind, 5)
  await behind.settle()
  expect(flushes).toBeGreaterThan(0)
  expect(reported).toEqual([])
  await behind.flush()
  expect(reported).toEqual([5 * MIB])
  await file.close()
  expect(await readFile(path)).toEqual(Buffer.concat([0, 1, 2, 3, 4].map(count => Buffer.alloc(MIB, count))))
})

test('progress is reported at intervals on request', async () => {
  const file = await open(path, 'w')
  const reported: number[] = []
  const how = { at: 0, flushEvery: MIB, reportEvery: 2 * MIB, flushed: async (end: number) => void reported.push(end) }
  const behind = new WriteBehind(file, how)
  for (let part = 0; part < 2; part++) {
    await fill(behind, 3)
    await behind.settle()
  }
  expect(reported.length).toBeGreaterThan(0)
  expect(reported.every((end, index) => end - (reported[index - 1] ?? 0) >= 2 * MIB)).toBe(true)
  await behind.flush()
  expect(reported.at(-1)).toBe(6 * MIB)
  await file.close()
})

test('after a failed flush no byte of the file is reported as durable', async () => {
  const file = await open(path, 'w')
  const flush = file.datasync.bind(file)
  // As the kernel does: it drops what it could not write, and the next flush succeeds.
  let failures = 1
  file.datasync = () => (failures-- > 0 ? Promise.reject(new Error('EIO')) : flush())
  const reported: number[] = []
  const how = { at: 0, flushEvery: MIB, reportEvery: MIB, flushed: async (end: number) => void reported.push(end) }
  const behind = new WriteBehind(file, how)
  await fill(behind, 1)
  await expect(behind.settle()).rejects.toThrow('EIO')
  await behind.salvage()
  await expect(behind.flush()).rejects.toThrow('EIO')
  expect(reported).toEqual([])
  await file.close()
})
