import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortItems } from '../../../shared/sorting.ts'
import { orderOf, plainOrderOf } from './name-order.ts'
import { NameTable } from './name-table.ts'

const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'B', '0', '1', '9', 'é', ' ') }),
  fc.string({ unit: 'grapheme' }).filter(text => !text.includes('\0')),
  fc.stringMatching(/^[aB]?0{0,3}[1-9]{17,21}x?$/),
  fc.constantFrom('\u{1F600}', '\uFFFD', '\uDC80', '99999999999999999999', '20000000000000000000000'),
)

function tableOf(names: readonly string[]): NameTable {
  const table = new NameTable()
  for (const each of names) table.add(each)
  return table
}

test('names are ordered as in a listing by name', () => {
  const child = fc.record({ name, isDir: fc.boolean() })
  fc.assert(
    fc.property(fc.array(child), fc.boolean(), (children, asc) => {
      const table = tableOf(children.map(each => each.name))
      const order = orderOf(table, index => children[index]?.isDir === true, { asc })
      const sorted = sortItems(
        children.map(each => ({ ...each, size: 0, modified: 0 })),
        { by: 'name', asc },
      )
      expect(Array.from(order, index => children[index])).toEqual(sorted.map(({ name, isDir }) => ({ name, isDir })))
      expect(table.at(order)).toEqual(sorted.map(each => each.name))
    }),
  )
})

test('names are in code unit order by default', () => {
  fc.assert(
    fc.property(fc.array(name), names => {
      const table = tableOf(names)
      expect(table.at(plainOrderOf(table))).toEqual(names.toSorted())
    }),
  )
})

test('a table returns the names that were added, however many', () => {
  fc.assert(
    fc.property(fc.array(name, { size: 'large', minLength: 1 }), fc.nat(), fc.nat(), (names, from, length) => {
      const table = tableOf(names)
      expect(table.between(0, names.length)).toEqual(names)
      expect(table.between(from, from + length)).toEqual(names.slice(from, from + length))
    }),
  )
})
