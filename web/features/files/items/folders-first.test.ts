import { expect, test } from 'vitest'
import { sortItems } from '../../../../shared/sorting.ts'
import { mixedByName } from './folders-first.ts'

const item = (name: string) => ({ name: name.replace('/', ''), isDir: name.endsWith('/'), size: 0, modified: 0 })
const items = ['b/', 'img10/', 'a.txt', 'img2.jpg', 'z.txt', 'Z/'].map(item)
const mixed = (asc: boolean) => mixedByName(sortItems(items, { by: 'name', asc }), asc).map(({ name }) => name)

test('folders are among the files by name, from A to Z and from Z to A', () => {
  const names = ['a.txt', 'b', 'img2.jpg', 'img10', 'Z', 'z.txt']
  expect(mixed(false)).toEqual(names)
  expect(mixed(true)).toEqual(names.toReversed())
})

test('folders alone and files alone stay as they are', () => {
  for (const names of [['a/', 'b/'], ['a', 'b'], []]) {
    expect(mixedByName(names.map(item), false)).toEqual(names.map(item))
  }
})
