import { expect, test } from 'vitest'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { sortKey } from './sort-key.ts'

const item = (name: string, isDir: boolean) => ({ name, path: `/in/${name}`, size: 7, isDir }) as ResourceItem
const items = [item('films', true), item('new', true), item('note.txt', false)]

test('items are sorted by size with the sizes of their folders, of which new ones are unknown', () => {
  const key = sortKey({ by: 'size' }, items, new Map([['/in/films', 300]]))
  expect(items.map(each => key?.(each))).toEqual([300, Number.NaN, 7])
})

test('the sizes that another folder left behind change no order', () => {
  expect(sortKey({ by: 'size' }, items, new Map([['/other/films', 300]]))).toBeUndefined()
  expect(sortKey({ by: 'name' }, items, new Map([['/in/films', 300]]))).toBeUndefined()
})
