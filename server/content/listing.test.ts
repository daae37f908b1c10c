import { expect, test } from 'vitest'
import type { FolderResource, ResourceItem } from '../../shared/api/resources.ts'
import { linesOf, takesGzip } from './listing.ts'

const items = Array.from({ length: 1201 }, (_, index) => ({ name: `${index}\n,{` }) as ResourceItem)
const head = { numDirs: 0, numFiles: items.length, name: 'a"items":[\n' } as FolderResource

async function* batchesOf(...batches: ResourceItem[][]) {
  yield* batches
}

async function textOf(...batches: ResourceItem[][]): Promise<string> {
  return (await Array.fromAsync(linesOf(head, batchesOf(...batches)))).join('')
}

test('a long listing in lines is the same JSON, and its first line is a listing of the first rows', async () => {
  const text = await textOf(items)
  expect(JSON.parse(text)).toEqual({ ...head, items })
  const [first = '', ...others] = text.split('\n')
  expect(JSON.parse(`${first}]}`)).toEqual({ ...head, items: items.slice(0, 200) })
  expect(others.slice(0, -1).flatMap(line => JSON.parse(`[${line.slice(1)}]`))).toEqual(items.slice(200))
  expect(others.at(-1)).toBe(']}')
})

test('batches of which nothing may be seen leave no gap', async () => {
  expect(JSON.parse(await textOf([], items.slice(0, 3), [], items.slice(3, 5)))).toEqual({
    ...head,
    items: items.slice(0, 5),
  })
  expect(JSON.parse(await textOf([]))).toEqual({ ...head, items: [] })
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
