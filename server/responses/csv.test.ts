import { expect, test } from 'vitest'
import { csvCells, csvLine } from './csv.ts'

test('cells are quoted where they have to be', () => {
  expect(csvLine(['a', 1, true, undefined, 'b,c', 'say "hi"', 'two\nlines'])).toBe(
    'a,1,true,,"b,c","say ""hi""","two\nlines"\r\n',
  )
})

test.each(['=1+1', '+1', '-1', '@a', '\t=1', '\r=1'])('the text %j is no formula', text => {
  expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/)
})

test('numbers stay numbers', () => {
  expect(csvLine([-1])).toBe('-1\r\n')
})

test('what is written as CSV is read again', () => {
  const lines = [
    ['a', 'b,c', 'say "hi"', '=1', ''],
    ['two\nlines', '', 'x', 'y', 'z'],
  ]
  expect(csvCells(lines.map(csvLine).join(''))).toEqual(lines)
  expect(csvCells('a;b\n\n"c"')).toEqual([['a;b'], ['c']])
})
