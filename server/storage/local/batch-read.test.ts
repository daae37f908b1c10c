import { execFileSync } from 'node:child_process'
import { link, mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { p } from '../conformance/place.ts'
import type { BatchReader, StorageDriver } from '../driver.ts'
import { confinementLevel } from './handle.ts'
import { stagingName } from './temp-names.ts'
import { type DiskPlace, diskPlace, TEST_KEY } from './test-place.ts'

let place: DiskPlace
let reader: BatchReader

const inside = (path: string) => join(place.folder, 'inside', path)
const onHandles = test.runIf(confinementLevel() === 'handles')

beforeEach(async () => {
  place = await diskPlace('handles')
  begin(place.store)
})
afterEach(async () => {
  reader.close()
  await place.close()
})

function begin(store: StorageDriver): void {
  reader?.close()
  const begun = store.disk?.batchReader()
  if (!begun) throw new Error('this store has no batch reader')
  reader = begun
}

/** The bytes read of each file as text; `undefined` where the file has to be opened individually. */
const read = async (...orders: [file: string, bytes: number][]) =>
  (await batchReader(...orders)).files.map(found => found && Buffer.from(found.content).toString())

const batchReader = (...orders: [file: string, bytes: number][]) =>
  reader.read(orders.map(([file, bytes]) => ({ file: p(file), bytes })))

onHandles('files come with the requested bytes, and the entries of the store', async () => {
  for (const name of ['a.txt', 'caf\udce9', 'empty'])
    await place.plantFile(`inside/${name}`, name === 'empty' ? '' : 'content')
  expect(await read(['/caf\udce9', 7], ['/empty', 0], ['/a.txt', 4], ['/a.txt', 0])).toEqual([
    'content',
    '',
    'cont',
    '',
  ])
  const [found] = (await batchReader(['/a.txt', 0])).files
  expect(found?.entry).toEqual(await place.store.stat(p('/a.txt')))
})

onHandles('reads after a release of memory return the contents of their own files', async () => {
  await place.plantFile('inside/long', 'l'.repeat(100_000))
  await place.plantFile('inside/short', 's'.repeat(10))
  const first = await batchReader(['/long', 100_000])
  const memory = first.files[0]?.content.buffer as ArrayBuffer
  first.release()
  const second = await batchReader(['/short', 10], ['/missing', 5], ['/long', 20])
  expect(memory.detached).toBe(true)
  expect(second.files.map(found => found && Buffer.from(found.content).toString())).toEqual([
    's'.repeat(10),
    undefined,
    'l'.repeat(20),
  ])
  second.release()
  expect(await read(['/long', 100_000])).toEqual(['l'.repeat(100_000)])
})

onHandles('LINK-03 special files, and files behind a link, missing or shorter are left to the caller', async () => {
  await place.plantFile('inside/folder/a.txt', 'content')
  await place.plantFile('outside/secret', 'secret')
  await symlink('folder', inside('way'))
  await symlink('a.txt', inside('folder/link'))
  await symlink('../outside', inside('out'))
  execFileSync('mkfifo', [inside('fifo')])
  const left = ['/way/a.txt', '/folder/link', '/out/secret', '/folder', '/fifo', '/missing'] as const
  expect(await read(...left.map((file): [string, number] => [file, 1]))).toEqual(left.map(() => undefined))
  expect(await read(['/folder/a.txt', 8], ['/folder/a.txt', 7])).toEqual([undefined, 'content'])
})

onHandles('LINK-03 while a folder is exchanged for a link out, nothing is read from outside', async () => {
  await place.plantFile('outside/a.txt', 'secret!')
  await place.plantFile('inside/folder/a.txt', 'content')
  await symlink('../outside', inside('link'))
  let isOver = false
  const exchange = async () => {
    while (!isOver) {
      await rename(inside('folder'), inside('away'))
      await rename(inside('link'), inside('folder'))
      await rename(inside('folder'), inside('link'))
      await rename(inside('away'), inside('folder'))
    }
  }
  const exchanging = exchange()
  const seen = new Set<string | undefined>()
  const orders = Array.from({ length: 100 }, (): [string, number] => ['/folder/a.txt', 7])
  for (let round = 0; round < 30; round++) for (const content of await read(...orders)) seen.add(content)
  isOver = true
  await exchanging
  expect(seen).not.toContain('secret!')
  expect(seen).toContain('content')
})

onHandles(
  'RULE-03 files that the guard refuses are not read, nor those that may be listed under another name',
  async () => {
    for (const name of ['a.txt', 'secret', 'own', 'LONG~1']) await place.plantFile(`inside/${name}`, 'content')
    await link(inside('own'), inside('OWN'))
    begin(await place.store.within(p('/'), path => path !== '/secret'))
    expect(await read(['/a.txt', 7], ['/secret', 7], ['/own', 7], ['/LONG~1', 7])).toEqual([
      'content',
      undefined,
      undefined,
      undefined,
    ])
  },
)

onHandles('staging files are not read', async () => {
  const name = stagingName(TEST_KEY)
  await mkdir(inside('folder'))
  await writeFile(inside(name), 'content')
  expect(await read([`/${name}`, 7])).toEqual([undefined])
})

onHandles('after its end every file is left to the caller', async () => {
  await place.plantFile('inside/a.txt', 'content')
  const under = read(['/a.txt', 7])
  reader.close()
  expect([await under, await read(['/a.txt', 7])].flat()).toContain(undefined)
})
