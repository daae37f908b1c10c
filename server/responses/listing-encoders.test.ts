import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ListedRows, ListingStart } from '../../shared/api/resources.ts'
import { itemsOf } from '../../shared/decode-listing.ts'
import { LISTING_IN_ROWS } from '../../shared/listing-format.ts'
import { type FilePath, ROOT } from '../../shared/path.ts'
import type { Entry } from '../files/types.ts'
import { type Children, formFor, type ListingHead, linesOf } from './listing-encoders.ts'
import { kindOfEntry, presentItem } from './serializers.ts'

const IN_JSON = formFor({ headers: { accept: '*/*' } })
const IN_ROWS = formFor({ headers: { accept: `${LISTING_IN_ROWS}, application/json` } })

const entry = (name: string, more: Partial<Entry> = {}): Entry => ({
  name,
  path: `/in/${name}` as FilePath,
  canonical: `/in/${name}` as FilePath,
  kind: 'file',
  isLink: false,
  size: 7,
  modified: 1_764_000_000_123.456,
  mode: 0o640,
  version: '1',
  identity: '1',
  ...more,
})

const MANY = Array.from({ length: 1201 }, (_, index) => entry(`${index}\n,{`))
const ODD = [
  entry('folder.d', { kind: 'folder', mode: 0o755, size: 4096 }),
  entry('to a folder', { kind: 'folder', isLink: true, mode: 0o755 }),
  entry('nowhere', { kind: 'link', isLink: true, mode: 0o777 }),
  entry('pipe', { kind: 'special', mode: 0o600 }),
  entry('\u{1f600} "quoted" \\ tab\t \udc80.TXT', { size: 2 ** 40 }),
  entry('looked into', { modified: 0 }),
  entry('before.jpg', { modified: -86_400_000 }),
  entry('late.mp4', { modified: 32_503_680_000_000.5 }),
]
const typeOf = (each: Entry) => (each.name === 'looked into' ? 'pdf' : kindOfEntry(each))
const childrenOf = (entries: Entry[]): Children => ({ entries, types: entries.map(typeOf) })
const head = { ...presentItem(entry('in', { path: '/in' as FilePath, kind: 'folder' })), name: 'a"items":[\n' }
const headOf = (numFiles: number): ListingHead => ({
  ...head,
  numDirs: 0,
  numFiles,
  isDir: true,
  sorting: { by: 'name', asc: true },
})

async function* batchesOf(...batches: Entry[][]): AsyncGenerator<Children> {
  for (const entries of batches) yield childrenOf(entries)
}

async function textOf(form = IN_JSON, ...batches: Entry[][]): Promise<string> {
  const lines = linesOf(form, headOf(batches.flat().length), batchesOf(...batches), createHash('sha256'))
  return Buffer.concat(await Array.fromAsync(lines)).toString()
}

const itemsFor = (entries: Entry[]) => entries.map(each => presentItem(each, typeOf(each)))

test('a long listing in lines is the same JSON, and its first line is a listing of the first rows', async () => {
  const text = await textOf(IN_JSON, MANY)
  expect(JSON.parse(text)).toEqual({ ...headOf(1201), items: itemsFor(MANY) })
  const [first = '', ...others] = text.split('\n')
  expect(JSON.parse(`${first}]}`)).toEqual({ ...headOf(1201), items: itemsFor(MANY.slice(0, 200)) })
  expect(others.slice(0, -1).flatMap(line => JSON.parse(`[${line.slice(1)}]`))).toEqual(itemsFor(MANY.slice(200)))
  expect(others.at(-1)).toBe(']}')
})

test('batches without visible rows leave no gap', async () => {
  expect(JSON.parse(await textOf(IN_JSON, [], MANY.slice(0, 3), [], MANY.slice(3, 5)))).toEqual({
    ...headOf(5),
    items: itemsFor(MANY.slice(0, 5)),
  })
  expect(JSON.parse(await textOf(IN_JSON, []))).toEqual({ ...headOf(0), items: [] })
})

/** The rows of the lines, decoded. */
function readRows(text: string) {
  const [first = '', ...others] = text.trimEnd().split('\n')
  const { rows, ...header }: ListingStart = JSON.parse(first)
  const more: ListedRows[] = others.slice(0, -1).map(line => JSON.parse(line))
  const items = [rows, ...more].map(each => itemsOf(each, header.path))
  return { header, items, last: JSON.parse(others.at(-1) ?? '') }
}

test('rows decode to the items of JSON, for every type and name', async () => {
  const { header, items, last } = readRows(await textOf(IN_ROWS, ODD))
  expect({ ...header, items: items.flat() }).toEqual(JSON.parse(IN_JSON.whole(headOf(8), childrenOf(ODD))))
  expect(last).toEqual({ etag: expect.stringMatching(/^W\/"[\w-]{22}"$/) })
})

test('the first line has two hundred rows, the others five hundred', async () => {
  const { items } = readRows(await textOf(IN_ROWS, MANY))
  expect(items.map(each => each.length)).toEqual([200, 500, 500, 1])
  expect(items.flat()).toEqual(itemsFor(MANY))
})

test('an empty folder has no rows', async () => {
  const { header, items } = readRows(await textOf(IN_ROWS))
  expect(header).toEqual(headOf(0))
  expect(items).toEqual([[]])
})

test('the path of an item in the root has one slash', () => {
  const [rows = ''] = IN_ROWS.whole(headOf(1), childrenOf(ODD.slice(0, 1))).split('\n')
  expect(itemsOf(JSON.parse(rows).rows, ROOT)[0]?.path).toBe('/folder.d')
})

test('rows of photos take less than half the space of the same items in JSON', async () => {
  const photos = Array.from({ length: 1000 }, (_, index) => entry(`IMG_${index}.jpg`, { size: index ** 2 }))
  expect((await textOf(IN_ROWS, photos)).length).toBeLessThan((await textOf(IN_JSON, photos)).length / 2)
})

test('the version changes with the content of the listing, and only with that', async () => {
  const versionOf = async (entries: Entry[]) => readRows(await textOf(IN_ROWS, entries)).last.etag
  const known = await versionOf(ODD)
  expect(await versionOf(ODD.map(each => ({ ...each, version: '2', canonical: ROOT })))).toBe(known)
  const changes: Partial<Entry>[] = [{ size: 8 }, { modified: 1 }, { mode: 0o600 }, { name: 'other' }, { isLink: true }]
  const versions = await Promise.all(changes.map(change => versionOf([...ODD, entry('last', change)])))
  expect(new Set([known, await versionOf([...ODD, entry('last')]), ...versions]).size).toBe(changes.length + 2)
})
