import { expect, test, vi } from 'vitest'
import { LISTING_IN_ROWS } from '../../../../shared/listing-format.ts'
import { readListing } from './read-listing.ts'

const rows = (...names: string[]) => ({
  names: names.join('/'),
  sizes: names.map(() => 1),
  modified: names.map(() => '2026-01-02T03:04:05Z').join('/'),
  modes: names.map(() => 0o640),
  types: '4'.repeat(names.length),
  links: [],
})
const item = (name: string) => ({
  path: `/in/${name}`,
  name,
  size: 1,
  extension: name.includes('.') ? '.txt' : '',
  modified: '2026-01-02T03:04:05Z',
  mode: 0o640,
  isDir: false,
  isSymlink: false,
  type: 'text',
})
const linesOf = (...objects: object[]) => objects.map(each => `${JSON.stringify(each)}\n`).join('')
const LONG = linesOf({ numDirs: 0, numFiles: 3, path: '/in/', rows: rows('a\nb.txt') }, rows('b', 'é'), {
  etag: 'W/"1"',
})

/** A response that arrives byte by byte. */
const answerOf = (text: string, type = LISTING_IN_ROWS) => {
  const start = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte))
    controller.close()
  }
  return new Response(new ReadableStream({ start }), { headers: { 'Content-Type': type } })
}

test('an NDJSON listing is read with its version, and its first rows are reported early', async () => {
  const onBegin = vi.fn()
  const head = { numDirs: 0, numFiles: 3, path: '/in/' }
  expect(await readListing(answerOf(LONG), onBegin)).toEqual({
    resource: { ...head, items: [item('a\nb.txt'), item('b'), item('é')] },
    etag: 'W/"1"',
  })
  expect(onBegin.mock.calls).toEqual([[{ ...head, items: [item('a\nb.txt')] }]])
})

test('a listing that arrives at once reports no first rows', async () => {
  const onBegin = vi.fn()
  const text = linesOf({ numDirs: 0, numFiles: 1, path: '/in/', rows: rows('a') }, { etag: 'W/"2"' })
  expect(await readListing(answerOf(text), onBegin)).toMatchObject({ resource: { items: [item('a')] } })
  expect(onBegin).not.toHaveBeenCalled()
})

test.each([
  ['its last line', LONG.slice(0, LONG.indexOf('{"etag'))],
  ['the end of its last line', LONG.slice(0, -1)],
  ['all of it', ''],
])('a listing without %s is incomplete', async (_, text) => {
  await expect(readListing(answerOf(text), () => undefined)).rejects.toThrow('cut short')
})

test('a file is read as JSON', async () => {
  const file = answerOf(JSON.stringify(item('a.txt')), 'application/json; charset=utf-8')
  expect(await readListing(file, () => undefined)).toEqual({ resource: item('a.txt') })
})
