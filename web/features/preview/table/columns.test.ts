import { expect, test } from 'vitest'
import { columnName, columnStarts, columnsIn } from './columns.ts'
import { parseCells } from './parse.ts'

test('columns are as wide as their content, within bounds', () => {
  const text = `a,${'b'.repeat(20)},${'c'.repeat(500)}\n`
  expect([...columnStarts(text, parseCells(text))]).toEqual([0, 64, 268, 588])
})

test('only columns in view are rendered', () => {
  const starts = Float64Array.from({ length: 101 }, (_, column) => column * 100)
  expect(columnsIn(starts, 250, 600)).toEqual({ first: 2, end: 6 })
  expect(columnsIn(starts, 0, 90)).toEqual({ first: 0, end: 1 })
})

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('column %i is %s', (column, name) => {
  expect(columnName(column)).toBe(name)
})
