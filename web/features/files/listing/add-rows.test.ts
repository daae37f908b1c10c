import { describe, expect, it } from 'vitest'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { SORT_FIELDS, sortItems } from '../../../../shared/sorting.ts'
import { addRows } from './add-rows.ts'

const item = (name: string, size: number, isDir = false) =>
  ({ name, size, isDir, modified: new Date(size * 1000).toISOString() }) as ResourceItem

const LISTED = ['a10', 'a9', 'B', 'dir', 'z'].map((name, index) => item(name, (index * 7) % 5, name === 'dir'))
const MORE = [item('zz', 9), item('a', 3), item('early', 0, true)]

describe('rows that are not there yet', () => {
  it('are at their places in every order', () => {
    for (const by of SORT_FIELDS)
      for (const asc of [true, false]) {
        const sorting = { by, asc }
        expect(addRows(sortItems(LISTED, sorting), MORE, sorting)).toEqual(sortItems([...LISTED, ...MORE], sorting))
      }
  })

  it('are the only ones in an empty folder', () => {
    expect(addRows([], MORE.slice(0, 1), { by: 'name', asc: false })).toEqual(MORE.slice(0, 1))
  })
})
