import { expect, test } from 'vitest'
import type { FolderResource } from '../../../shared/api/resources.ts'
import { isLong, piecesOf, takesGzip } from './long-listing.ts'

const items = Array.from({ length: 1201 }, (_, index) => ({ name: `${index}\n,{` }))
const folder = { numDirs: 0, numFiles: items.length, name: 'a"items":[\n', items } as unknown as FolderResource

test('a long listing in lines is the same JSON, and its first line is a listing of the first rows', () => {
  const text = [...piecesOf(folder)].join('')
  expect(isLong(folder)).toBe(true)
  expect(JSON.parse(text)).toEqual(folder)
  const [first = '', ...others] = text.split('\n')
  expect(JSON.parse(`${first}]}`)).toEqual({ ...folder, items: items.slice(0, 200) })
  expect(others.slice(0, -1).flatMap(line => JSON.parse(`[${line.slice(1)}]`))).toEqual(items.slice(200))
  expect(others.at(-1)).toBe(']}')
})

test.each([
  ['gzip', true],
  ['br;q=1, gzip;q=0.5', true],
  ['gzip;q=0', false],
  ['br', false],
  [undefined, false],
])('Accept-Encoding: %s', (accepted, taken) => {
  expect(takesGzip(accepted)).toBe(taken)
})
