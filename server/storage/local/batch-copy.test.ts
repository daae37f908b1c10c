import { execFileSync } from 'node:child_process'
import { chmod, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LARGEST_IN_BATCH } from '../batch.ts'
import { p } from '../conformance/place.ts'
import type { BatchCopier, StorageDriver } from '../driver.ts'
import { confinementLevel } from './handle.ts'
import { type DiskPlace, diskPlace } from './test-place.ts'

/** A place with a staged folder that contains a folder `sub`. */
let place: DiskPlace
let goal: StorageDriver
let copier: BatchCopier

const GOAL = p('/copy')
const inside = (path: string) => join(place.folder, 'inside', path)
const onHandles = test.runIf(confinementLevel() === 'handles')

beforeEach(async () => {
  place = await diskPlace('handles')
  await begin(place.store)
})
afterEach(async () => {
  copier.close()
  await place.close()
})

async function begin(store: StorageDriver): Promise<void> {
  const { trees } = store
  const staged = (await trees?.reserve(GOAL)) ?? ''
  goal = (await trees?.store(staged, GOAL)) ?? store
  await goal.mkdir(p('/sub'))
  const begun = await trees?.batchCopier?.(staged, GOAL)
  if (!begun) throw new Error('this store has no batch copier')
  copier = begun
}

const copy = (...files: [from: string, to: string][]) =>
  copier.copy(files.map(([from, to]) => ({ from: p(from), to: p(to) })))
const contentOf = async (path: string) => {
  const file = await goal.read(p(path))
  const [chunks] = [await Array.fromAsync(file.stream()), await file.close()]
  return Buffer.concat(chunks).toString()
}

onHandles('small files are copied with their times and modes, whatever their names', async () => {
  for (const name of ['a.txt', 'caf\udce9', 'empty'])
    await place.plantFile(`inside/${name}`, name === 'empty' ? '' : name)
  await chmod(inside('a.txt'), 0o4751)
  await utimes(inside('a.txt'), 1, 1_000_000.5)
  await utimes(inside('empty'), 1, new Date(-1_000_000))
  expect(await copy(['/a.txt', '/a.txt'], ['/caf\udce9', '/sub/caf\udce9'], ['/empty', '/sub/empty'])).toEqual([
    true,
    true,
    true,
  ])
  expect([await contentOf('/a.txt'), await contentOf('/sub/empty')]).toEqual(['a.txt', ''])
  expect(await goal.stat(p('/a.txt'))).toMatchObject({ modified: 1_000_000_500, mode: 0o751 })
  expect(await goal.stat(p('/sub/empty'))).toMatchObject({ modified: -1_000_000 })
  expect(await goal.stat(p('/sub/caf\udce9'))).toMatchObject({ size: 6 })
})

onHandles('anything but a small file at its canonical path is left to the caller', async () => {
  await place.plantFile('inside/a.txt', 'alpha')
  await place.plantFile('outside/secret.txt', 'secret')
  await place.plantLink('inside/link.txt', 'a.txt')
  await place.plantLink('inside/out', '../outside')
  await writeFile(inside('large'), Buffer.alloc(LARGEST_IN_BATCH + 1))
  execFileSync('mkfifo', [inside('pipe')])
  const names = ['/link.txt', '/out/secret.txt', '/large', '/pipe', '/missing', '/']
  expect(await copy(...names.map((name, number): [string, string] => [name, `/${number}`]))).toEqual(
    names.map(() => false),
  )
  expect(
    await copy(['/a.txt', '/nowhere/a.txt'], ['/a.txt', '/sub'], ['/a.txt', '/once'], ['/a.txt', '/once']),
  ).toEqual([...[false, false, true, false]])
})

onHandles('a folder in the staged one that is exchanged for a link is not followed', async () => {
  await place.plantFile('inside/a.txt', 'alpha')
  await goal.remove(p('/sub'))
  const [staged = ''] = (await place.names('inside')).filter(name => name.startsWith('.~'))
  await place.plantLink(`inside/${staged}/sub`, '../../outside')
  expect(await copy(['/a.txt', '/sub/a.txt'])).toEqual([false])
  expect(await place.names('outside')).toEqual([])
})

onHandles('the guard is asked about source and target', async () => {
  for (const name of ['open', 'denied']) await place.plantFile(`inside/${name}`, name)
  copier.close()
  await begin(await place.store.within(p('/'), path => !path.endsWith('denied')))
  expect(await copy(['/denied', '/a'], ['/open', '/b'], ['/open', '/sub/denied'])).toEqual([false, true, false])
})

onHandles('an existing file keeps its content', async () => {
  await place.plantFile('inside/a.txt', 'alpha')
  await copy(['/a.txt', '/a.txt'])
  await place.plantFile('inside/a.txt', 'beta')
  expect(await copy(['/a.txt', '/a.txt'])).toEqual([false])
  expect(await contentOf('/a.txt')).toBe('alpha')
  expect((await stat(inside('a.txt'))).size).toBe(4)
})
