import { expect, test } from 'vitest'
import { cellText, parseCells, separatorOf } from './parse.ts'

function tableOf(text: string, most?: number): string[][] {
  const cells = parseCells(text, undefined, most)
  return Array.from({ length: cells.rows.length - 1 }, (_, row) => {
    const length = (cells.rows[row + 1] ?? 0) - (cells.rows[row] ?? 0)
    return Array.from({ length }, (_, column) => cellText(text, cells, row, column))
  })
}

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\r1;2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a\tb\n\tc',
    [
      ['a', 'b'],
      ['', 'c'],
    ],
  ],
  [
    '"x, y",z\n"say ""hi""","two\nlines"',
    [
      ['x, y', 'z'],
      ['say "hi"', 'two\nlines'],
    ],
  ],
  ['a,b,c\n1\n2,3,4,5', [['a', 'b', 'c'], ['1'], ['2', '3', '4', '5']]],
  [
    'a,\n,',
    [
      ['a', ''],
      ['', ''],
    ],
  ],
  ['', []],
] as const)('%j is a table', (text, table) => {
  expect(tableOf(text)).toEqual(table)
})

test('an unterminated quote extends no further than its cell', () => {
  expect(tableOf('a,"b\nc,d\n')).toEqual([
    ['a', '"b'],
    ['c', 'd'],
  ])
})

test('delimiters are detected by the cells they produce, not by their frequency', () => {
  expect(separatorOf('name;price\n"Müller, Meier, Schulz";1,50\n"a, b";2,75\n')).toBe(';')
})

test('the longest row determines the number of columns', () => {
  expect(parseCells('a,b\n1,2,3\n').columns).toBe(3)
})

test('a table with too many cells is truncated and marked so', () => {
  const cells = parseCells('a,b\nc,d\ne,f\n', ',', 4)
  expect(cells.cut).toBe(true)
  expect(cells.rows.length - 1).toBe(2)
})

test('a million cells take less than a second', () => {
  const text = 'some text,12345,"quoted, text",more\n'.repeat(250_000)
  const start = performance.now()
  expect(parseCells(text).rows.length - 1).toBe(250_000)
  expect(performance.now() - start).toBeLessThan(3000)
})
