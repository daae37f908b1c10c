import { expect, test } from 'vitest'
import { fittingRows, heightOf, lastTop, offsetOf, type TallGeometry, topAt, topShowing } from './tall-scroll.ts'

const few: TallGeometry = { rows: 100, rowHeight: 20, room: 205 }
const many: TallGeometry = { rows: 7_000_000_000, rowHeight: 20, room: 205 }

test('a few rows have their natural height', () => {
  expect([heightOf(few), fittingRows(few), lastTop(few)]).toEqual([2000, 10, 90])
})

test('more rows than an element can hold share its maximum height', () => {
  expect(heightOf(many)).toBe(8_000_000)
  expect(topAt(heightOf(many) - many.room, many)).toBe(lastTop(many))
})

test.each([few, many])('every row can be scrolled to the top, including the first and the last', geometry => {
  for (const top of [0, 1, 17, Math.floor(geometry.rows / 3), lastTop(geometry)]) {
    expect(topAt(offsetOf(top, geometry), geometry)).toBe(top)
  }
})

test('a row in view needs no scrolling', () => {
  expect(topShowing(15, 10, few)).toBe(10)
  expect(topShowing(5, 10, few)).toBe(5)
  expect(topShowing(25, 10, few)).toBe(16)
  expect(topShowing(99, 10, few)).toBe(90)
})

test('a window that fits all rows does not scroll', () => {
  expect(topAt(0, { rows: 3, rowHeight: 20, room: 205 })).toBe(0)
})
