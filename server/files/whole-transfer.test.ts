import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openLocal } from '../storage/local.ts'
import type { Files } from './files.ts'
import { filesOn } from './test-files-on.ts'
import type { TransferNote } from './transfer.ts'

let root: string
let storage: StorageDriver
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'whole-'))
  storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  for (const name of ['from/a.txt', 'from/sub/b.txt', 'to/old.txt']) {
    await mkdir(join(root, name, '..'), { recursive: true })
    await writeFile(join(root, name), name)
  }
})
afterEach(() => rm(root, { recursive: true, force: true }))

const [FROM, TO] = [parsePath('/from'), parsePath('/to')]
const NEW = ['a.txt', 'sub', 'sub/b.txt']
const names = async (path = '') => (await readdir(join(root, path), { recursive: true })).sort()

/** The same disk, as if the source and destination of every move were on different disks. */
function apart(store: StorageDriver): StorageDriver {
  return {
    ...store,
    within: async (folder, guard) => apart(await store.within(folder, guard)),
    async move(from, to, how) {
      // What gives way stays on its disk.
      if (from === FROM) throw new AppError('unsupported')
      await store.move?.(from, to, how)
    },
  }
}

test('a folder is replaced, not merged; without that it is refused', async () => {
  const { transfers } = await filesOn(storage)
  await expect(transfers.whole('copy', FROM, TO, { replaces: false })).rejects.toMatchObject({ code: 'exists' })
  await transfers.whole('copy', FROM, TO, { replaces: true })
  expect(await names('to')).toEqual(NEW)
  expect(await readdir(root)).toEqual(expect.arrayContaining(['from', 'to']))
})

test('a move by name only refuses to copy, and leaves both folders where they were', async () => {
  const { transfers } = await filesOn(apart(storage))
  const how = { replaces: true, byName: true }
  await expect(transfers.whole('move', FROM, TO, how)).rejects.toMatchObject({ code: 'unsupported' })
  expect([await names('from'), await names('to'), await readdir(root)]).toEqual([NEW, ['old.txt'], ['from', 'to']])
  await transfers.whole('move', FROM, TO, { replaces: true })
  expect([await names('to'), await readdir(root)]).toEqual([NEW, ['to']])
})

describe.each(['copy', 'move'] as const)('a %s that is interrupted at a note', action => {
  /** The first attempt, which ends when it has noted something for the `last`th time. */
  async function interrupted(files: Files, last: number): Promise<TransferNote | undefined> {
    let noted: TransferNote | undefined
    let count = 0
    const note = async (now: TransferNote) => {
      noted = JSON.parse(JSON.stringify(now))
      count += 1
      if (count === last) throw new AppError('incomplete_body')
    }
    const how = { replaces: true, journal: { noted: undefined, note } }
    await files.transfers.whole(action, FROM, TO, how).catch(() => {})
    return noted
  }

  test.each([1, 2, 3])('replaces the folder in the next attempt, after note %i', async last => {
    const files = await filesOn(apart(storage))
    const noted = await interrupted(files, last)
    expect([noted?.way !== undefined, await names('to')]).toEqual([true, ['old.txt']])
    const journal = { noted, note: async () => {} }
    await files.transfers.whole(action, FROM, TO, { replaces: true, journal })
    expect(await names('to')).toEqual(NEW)
    expect((await readdir(root)).sort()).toEqual(action === 'copy' ? ['from', 'to'] : ['to'])
  })

  test('lets nothing give way again that it has put there itself', async () => {
    const files = await filesOn(apart(storage))
    const noted = await interrupted(files, Number.POSITIVE_INFINITY)
    expect(await names('to')).toEqual(NEW)
    await writeFile(join(root, 'to/added.txt'), 'by another user')
    const journal = { noted, note: async () => {} }
    await files.transfers.whole(action, FROM, TO, { replaces: true, journal })
    expect(await readFile(join(root, 'to/added.txt'), 'utf8')).toBe('by another user')
    expect((await readdir(root)).sort()).toEqual(action === 'copy' ? ['from', 'to'] : ['to'])
  })
})
