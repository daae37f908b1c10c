import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { DEFAULT_SORTING, SORT_FIELDS, sortItems } from '../../../shared/sorting.ts'
import { bytesAt, listed, p, put, refusal, type TestPlace } from './place.ts'

/** Files and folders are read as they were written. */
export function contentSuite(place: () => TestPlace): void {
  const plantMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => place().plantFile(`inside/many/n${index}`, '')))

  test.each([0, 1, 255, 65_536, 5_000_000])('a file of %i bytes is read as it was written', async size => {
    const content = randomBytes(size)
    const entry = await put(place().store, '/a.bin', content, { length: size })
    expect(entry).toMatchObject({ name: 'a.bin', path: '/a.bin', kind: 'file', size, isLink: false })
    expect((await bytesAt(place().store, '/a.bin')).equals(content)).toBe(true)
  })

  test.each([
    [0, 0],
    [0, 9],
    [3, 5],
    [9, 9],
    [65_000, 66_000],
    [299_999, 299_999],
    [0, 299_999],
  ])('bytes %i to %i are those bytes, both included', async (start, end) => {
    const content = randomBytes(300_000)
    await put(place().store, '/a.bin', content)
    const part = await bytesAt(place().store, '/a.bin', { start, end })
    expect(part.equals(content.subarray(start, end + 1))).toBe(true)
  })

  test('writing returns what stat and list report afterwards', async () => {
    const written = await put(place().store, '/docs/a.txt', 'hello')
    expect(await place().store.stat(p('/docs/a.txt'))).toEqual(written)
    expect(await listed(place().store, '/docs')).toEqual([written])
    const file = await place().store.read(p('/docs/a.txt'))
    await file.close()
    expect(file.entry).toEqual(written)
  })

  test('an open file has a descriptor exactly where the store says so', async () => {
    await put(place().store, '/a.txt', 'hello')
    const file = await place().store.read(p('/a.txt'))
    expect(file.descriptor !== undefined).toBe(place().store.disk !== undefined)
    await file.close()
  })

  test('a given modification time is kept', async () => {
    const modified = Date.UTC(2001, 1, 3, 4, 5, 6, 789)
    const entry = await put(place().store, '/old.txt', 'old', { modified })
    expect(Math.abs(entry.modified - modified)).toBeLessThan(1)
  })

  test('2100 entries are listed once each, in several batches', async () => {
    await plantMany(2100)
    const { store } = place()
    const batches = await Array.fromAsync(store.list(p('/many')))
    const names = batches.flat().map(entry => entry.name)
    expect(new Set(names).size).toBe(2100)
    expect([names.length, batches.length > 1]).toEqual([2100, true])
    if (store.sorted) expect(names).toEqual(names.toSorted())
  })

  test('a sorted folder has the same children as the list', async () => {
    const { store, plantFile, plantLink } = place()
    if (!store.sorted) return
    await Promise.all(Array.from({ length: 2450 }, (_, n) => plantFile(`inside/many/n${n}`, 'x'.repeat(n % 7))))
    await store.mkdir(p('/many/folder 10'))
    await store.mkdir(p('/many/folder 9'))
    await plantLink('inside/many/link', 'folder 9')
    await plantLink('inside/many/nowhere', 'gone')
    const all = (await listed(store, '/many')).map(entry => ({ ...entry, isDir: entry.kind === 'folder' }))
    const whole = all.map(entry => ({ ...entry, modified: Math.floor(entry.modified) }))
    for (const sorting of SORT_FIELDS.flatMap(by => [true, false].map(asc => ({ by, asc })))) {
      const sorted = await store.sorted(p('/many'), sorting, true)
      const entries = (await Array.fromAsync(sorted.entries)).flat()
      expect(entries.map(entry => entry.name)).toEqual(sortItems(whole, sorting).map(({ name }) => name))
      const heads = entries.map(({ name, path, canonical, kind }) => ({ name, path, canonical, kind }))
      const reported = [...sorted.heads].flat()
      expect(sorted.counted).toEqual({ folders: 0, others: 0 })
      expect(sorted.folder).toEqual(await store.stat(p('/many')))
      const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1)
      expect(reported.toSorted(byPath)).toEqual(heads.toSorted(byPath))
      await sorted.close()
    }
  })

  test('children of a sorted folder that the caller does not need are counted', async () => {
    const { store, plantFile, plantLink } = place()
    if (!store.sorted) return
    await Promise.all(Array.from({ length: 5 }, (_, n) => plantFile(`inside/many/n${n}`, '')))
    await store.mkdir(p('/many/folder'))
    await store.mkdir(p('/many/.folder'))
    await plantLink('inside/many/link', 'folder')
    for (const by of SORT_FIELDS) {
      const { counted, heads, close } = await store.sorted(p('/many'), { by, asc: true }, false)
      const reported = [...heads].flat()
      const folders = reported.filter(({ kind }) => kind === 'folder').length
      expect([counted.folders + folders, counted.others + reported.length - folders]).toEqual([3, 5])
      await close()
    }
  })

  test('a sorted folder can be closed before its end', async () => {
    await plantMany(2500)
    const { store } = place()
    for (const batches of [0, 1, 2]) {
      const sorted = await store.sorted?.(p('/many'), DEFAULT_SORTING, true)
      const entries = sorted?.entries[Symbol.asyncIterator]()
      for (let taken = 0; taken < batches; taken += 1) await entries?.next()
      await sorted?.close()
    }
    expect(await listed(store, '/many')).toHaveLength(2500)
    if (store.sorted) expect(await refusal(store.sorted(p('/none'), DEFAULT_SORTING, true))).toBe('not_found')
  })

  test('a listing that is stopped early can be started again', async () => {
    await plantMany(2500)
    for await (const batch of place().store.list(p('/many'))) {
      expect(batch.length).toBeGreaterThan(0)
      break
    }
    expect(await listed(place().store, '/many')).toHaveLength(2500)
  })

  test('the root is a folder without a name', async () => {
    expect(await place().store.stat(p('/'))).toMatchObject({ name: '', path: '/', canonical: '/', kind: 'folder' })
  })

  test('a missing path is not found', async () => {
    const { store } = place()
    expect(await store.stat(p('/none'))).toBeUndefined()
    expect(await store.stat(p('/none/below'))).toBeUndefined()
    expect(await refusal(store.read(p('/none')))).toBe('not_found')
    expect(await refusal(listed(store, '/none'))).toBe('not_found')
    expect(await refusal(store.remove(p('/none')))).toBe('not_found')
    expect(await refusal(store.remove(p('/none/below')))).toBe('not_found')
    expect(await refusal(store.within(p('/none')))).toBe('not_found')
  })

  test('nothing is found below a file', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'a')
    expect(await store.stat(p('/a.txt/b'))).toBeUndefined()
    expect(await refusal(store.read(p('/a.txt/b')))).toBe('not_found')
    expect(await refusal(listed(store, '/a.txt/b'))).toBe('not_found')
    expect(await refusal(store.remove(p('/a.txt/b')))).toBe('not_found')
  })

  test('a file is not listed and a folder is not read', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'a')
    expect(await refusal(listed(store, '/docs/a.txt'))).toBe('not_a_folder')
    expect(await refusal(store.within(p('/docs/a.txt')))).toBe('not_a_folder')
    expect(await refusal(store.read(p('/docs')))).toBe('is_a_folder')
  })

  test('several ranges of one open file are streamed in sequence', async () => {
    await put(place().store, '/a.txt', '0123456789')
    const file = await place().store.read(p('/a.txt'))
    expect(await text(file.stream({ start: 7, end: 9 }))).toBe('789')
    expect(await text(file.stream({ start: 0, end: 2 }))).toBe('012')
    expect(await text(file.stream())).toBe('0123456789')
    await file.close()
  })

  test('an open file can be closed without reading, and twice', async () => {
    await put(place().store, '/a.txt', 'a')
    const file = await place().store.read(p('/a.txt'))
    await file.close()
    await file.close()
  })
}
