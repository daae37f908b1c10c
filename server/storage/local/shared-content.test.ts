import { randomBytes } from 'node:crypto'
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { fillFrom } from '../write-file.ts'
import { diskPlace } from './test-place.ts'

const MiB = 2 ** 20

/** Copies a file that is opened before `meanwhile`. @returns what was copied, and the sizes that were reported */
async function copied(
  content: Buffer,
  meanwhile: (path: string) => Promise<void> = async () => {},
  signal?: AbortSignal,
) {
  const place = await diskPlace('handles')
  onTestFinished(() => place.close())
  await writeFile(`${place.folder}/inside/a.bin`, content)
  const file = await place.store.read(parsePath('/a.bin'))
  const staged = await place.store.stage(parsePath('/b.bin'))
  const taken: number[] = []
  try {
    await meanwhile(`${place.folder}/inside/a.bin`)
    await fillFrom(staged, file, { ...(signal && { signal }), taken: bytes => taken.push(bytes) })
    await staged.publish(parsePath('/b.bin'), { ifAbsent: true, length: content.length, mode: 0o640 })
  } finally {
    await staged.close()
    await file.close()
  }
  return { bytes: await readFile(`${place.folder}/inside/b.bin`), taken }
}

test.each([0, 1, 3 * MiB + 1])('the system copies an open file of %s bytes in one step', async size => {
  const content = Buffer.alloc(size, 'content ')
  const { bytes, taken } = await copied(content)
  expect(bytes.equals(content)).toBe(true)
  expect(taken).toEqual([size])
})

test('the system copies a long file in pieces, each of which is reported', async () => {
  const content = randomBytes(33 * MiB + 5)
  const { bytes, taken } = await copied(content)
  expect(bytes.equals(content)).toBe(true)
  expect(taken.reduce((sum, count) => sum + count)).toBe(content.length)
})

test('a long copy that is cancelled ends', async () => {
  await expect(copied(Buffer.alloc(33 * MiB), undefined, AbortSignal.abort())).rejects.toThrow('incomplete_body')
})

test('of a file that grows while it is copied, what it had is copied', async () => {
  const content = Buffer.alloc(3 * MiB, 'content ')
  const { bytes, taken } = await copied(content, path => appendFile(path, 'more'))
  expect(bytes.equals(content)).toBe(true)
  expect(taken.length).toBeGreaterThan(1)
})

test('a file that becomes shorter while it is copied is not copied', async () => {
  const content = Buffer.alloc(3 * MiB, 'content ')
  await expect(copied(content, path => truncate(path, MiB))).rejects.toThrow()
})
