import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { SORT_FIELDS, sortItems } from '../../../../../shared/sorting.ts'
import { createArchive, sortPacked } from './packed.ts'

const name = fc.string({ minLength: 1, maxLength: 8 }).map(text => text.replaceAll('/', '_'))
const modified = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
  .map(date => date.toISOString())
const entry = fc.record({ name, modified, size: fc.nat(5), isDir: fc.boolean() })

const sorting = fc.record({ by: fc.constantFrom(...SORT_FIELDS), asc: fc.boolean() })

test('sorting packed items gives the same order as sorting them directly', () => {
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: item => item.name, maxLength: 40 }), sorting, (entries, wanted) => {
      const items = entries as ResourceItem[]
      const order = sortPacked(createArchive(items), wanted)
      expect(Array.from(order, index => items[index])).toEqual(sortItems(items, wanted))
    }),
  )
})

test('packed items keep the sizes of folders, and which are unknown', () => {
  const sizeOf = ({ isDir, size }: ResourceItem) => (isDir && size % 2 === 1 ? Number.NaN : size)
  const all = fc.uniqueArray(entry, { selector: item => item.name, maxLength: 40 })
  fc.assert(
    fc.property(all, fc.boolean(), (entries, asc) => {
      const items = entries as ResourceItem[]
      const order = sortPacked(createArchive(items, sizeOf), { by: 'size', asc })
      expect(Array.from(order, index => items[index])).toEqual(sortItems(items, { by: 'size', asc }, sizeOf))
    }),
  )
})
