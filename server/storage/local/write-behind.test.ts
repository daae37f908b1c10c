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

/** Of a batch that is flushed while more arrives. */
const FLUSHED = 8

test('data is flushed while more arrives, and at the end', async () => {
  const file = await open(path, 'w')
  const flush = file.datasync.bind(file)
  let flushes = 0
  file.datasync = () => {
    flushes += 1
    return flush()
  }
  const behind = new WriteBehind(file, 0)
  await fill(behind, 2 * FLUSHED + 1)
  await behind.settle()
  expect(flushes).toBeGreaterThan(0)
  expect(behind.durable).toBeLessThanOrEqual(behind.size)
  expect(behind.durable).toBeGreaterThanOrEqual(FLUSHED * MIB)
  await behind.flush()
  expect([behind.durable, behind.size]).toEqual([17 * MIB, 17 * MIB])
  await file.close()
  const content = Buffer.concat(Array.from({ length: 17 }, (_, count) => Buffer.alloc(MIB, count)))
  expect((await readFile(path)).equals(content)).toBe(true)
})

test('after a failed flush no byte of the file counts as durable', async () => {
  const file = await open(path, 'w')
  const flush = file.datasync.bind(file)
  // As the kernel does: it drops what it could not write, and the next flush succeeds.
  let failures = 1
  file.datasync = () => (failures-- > 0 ? Promise.reject(new Error('EIO')) : flush())
  const behind = new WriteBehind(file, 0)
  await fill(behind, FLUSHED)
  await expect(behind.settle()).rejects.toThrow('EIO')
  await expect(behind.flush()).rejects.toThrow('EIO')
  expect([behind.durable, await behind.end()]).toEqual([0, 0])
  await file.close()
})
