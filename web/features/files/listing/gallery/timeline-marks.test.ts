import { expect, test } from 'vitest'
import type { Month } from './months.ts'
import { marksOf, monthAt, offsetOf } from './timeline-marks.ts'

/** Twelve months of each year, newest first, each 500 CSS pixels high. */
const MONTHS: Month[] = Array.from({ length: 36 }, (_, at) => ({
  from: at,
  to: at + 1,
  year: 2025 - Math.floor(at / 12),
  month: 11 - (at % 12),
}))
const BLOCKS = MONTHS.map((_, at) => ({ top: at * 500, end: (at + 1) * 500 }))
const REACH = 36 * 500 - 800

test('a time line has a label for each year and marks of months at their distance from the top', () => {
  const marks = marksOf(MONTHS, BLOCKS, { height: 600, reach: REACH })
  expect(marks.filter(({ isYear }) => isYear).map(({ month }) => month)).toEqual([0, 12, 24])
  expect(marks.find(({ month }) => month === 24)?.at).toBeCloseTo((24 * 500) / REACH)
  const distances = marks.slice(1).map(({ at }, index) => (at - (marks[index]?.at ?? 0)) * 600)
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(7)
})

test('years without room for their label have none, and those that do not fill the last screen end at the bottom', () => {
  const marks = marksOf(MONTHS, BLOCKS, { height: 40, reach: REACH })
  expect(marks.filter(({ isYear }) => isYear).map(({ month }) => month)).toEqual([0, 24])
  expect(offsetOf(BLOCKS[35], REACH)).toBe(REACH)
  expect(offsetOf(BLOCKS[3], REACH)).toBe(1500)
})

test('the month at a distance from the top is the one that has begun', () => {
  expect([monthAt(BLOCKS, -5), monthAt(BLOCKS, 499.5), monthAt(BLOCKS, 900), monthAt(BLOCKS, 1e6)]).toEqual([
    0, 1, 1, 35,
  ])
  expect(monthAt([], 0)).toBe(0)
})
