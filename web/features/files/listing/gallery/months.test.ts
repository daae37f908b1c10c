import { expect, test } from 'vitest'
import { monthName, monthsOf } from './months.ts'

const file = (modified: string) => ({ name: modified, modified })
const dateOf = ({ modified }: { modified: string }) => Date.parse(modified)

test('files that follow each other in a month of the local calendar have one heading', () => {
  const dates = ['2025-03-01T00:00:00', '2025-02-28T23:59:59', '2025-02-01T00:00:00', '2024-02-10T12:00:00']
  expect(monthsOf(dates.map(file), dateOf)).toEqual([
    { from: 0, to: 1, year: 2025, month: 2 },
    { from: 1, to: 3, year: 2025, month: 1 },
    { from: 3, to: 4, year: 2024, month: 1 },
  ])
})

test('a file without a date belongs to those before it, and the first ones to those after them', () => {
  const dates = ['', '2025-03-02T00:00:00', '', '2025-03-01T00:00:00']
  expect(monthsOf(dates.map(file), dateOf)).toEqual([{ from: 0, to: 4, year: 2025, month: 2 }])
  expect(monthsOf([file('')], dateOf)).toEqual([])
})

test('a month is named in the language of the page', () => {
  const month = { from: 0, to: 1, year: 2024, month: 4 }
  expect([monthName(month, 'en'), monthName(month, 'de'), monthName(month, 'ja')]).toEqual([
    'May 2024',
    'Mai 2024',
    '2024年5月',
  ])
})
