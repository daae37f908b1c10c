import { expect, test } from 'vitest'
import { formatCell, numberFormat } from './number-format.ts'

test.each([
  ['45000', 14, undefined, '2023-03-15'],
  ['45000.75', 22, undefined, '2023-03-15 18:00'],
  ['0.5', 20, undefined, '12:00'],
  ['1', 14, undefined, '1900-01-01'],
  ['45000', 165, '[$-409]d\\-mmm\\-yy;@', '2023-03-15'],
  ['0.256', 9, undefined, '26%'],
  ['0.1234', 10, undefined, '12.34%'],
  ['1234.5', 166, '#,##0.00\\ "€"', '1234.50'],
  ['-3', 167, '[Red]0;[Blue]-0', '-3'],
  ['0.30000000000000004', 0, undefined, '0.3'],
  ['0.1', 12, '# ?/?', '0.1'],
  ['text', 2, undefined, 'text'],
])('%s in format %i %s is shown as %s', (value, id, code, shown) => {
  expect(formatCell(value, numberFormat(id, code), false)).toBe(shown)
})

test('days count from 1904 where the workbook says so', () => {
  expect(formatCell('1', numberFormat(14), true)).toBe('1904-01-02')
})
