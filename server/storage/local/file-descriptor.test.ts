import { openSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FileDescriptor } from './file-descriptor.ts'

/** An open file, on a known and on an unknown disk. */
async function openFile(isKnown: boolean) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'filigree-content-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'a')
  await writeFile(path, 'alpha')
  return { path, content: new FileDescriptor(openSync(path, 'r'), isKnown ? path : '') }
}

/** Whether the next open returns this number, as the lowest free one. */
function isFree(descriptor: number, path: string): boolean {
  const next = openSync(path, 'r')
  const content = new FileDescriptor(next, '')
  onTestFinished(() => content.close())
  return next <= descriptor
}

for (const isKnown of [true, false]) {
  const disk = isKnown ? 'a known disk' : 'another disk'

  test(`on ${disk} reads in progress finish before a file is closed, and later ones do not start`, async () => {
    const { path, content } = await openFile(isKnown)
    const into = Buffer.alloc(5)
    const reading = content.read(into, 0)
    const closed = [content.close(), content.close()]
    await expect(content.read(Buffer.alloc(5), 0)).rejects.toThrow('EBADF')
    expect([await reading, into.toString()]).toEqual([5, 'alpha'])
    await Promise.all(closed)
    expect(isFree(content.descriptor, path)).toBe(true)
  })

  test(`on ${disk} a file that was removed while open is read and closed`, async () => {
    const { path, content } = await openFile(isKnown)
    await rm(path)
    expect(await content.read(Buffer.alloc(9), 1)).toBe(4)
    expect(await content.read(Buffer.alloc(9), 5)).toBe(0)
    await content.close()
    expect(isFree(content.descriptor, import.meta.filename)).toBe(true)
  })
}
