import { expect, test } from 'vitest'
import { GAP, layOut, offsetOf, pageAt, placeAt } from './layout.ts'

const layout = layOut(3, { width: 100, height: 200 }, new Map([[2, { width: 300, height: 50 }]]), 2)

test('pages are stacked, as wide as the widest', () => {
  expect([...layout.tops]).toEqual([16, 432, 548, 964])
  expect(layout.width).toBe(600 + 2 * GAP)
})

test('an offset belongs to the page that contains it', () => {
  expect([0, 16, 431, 432, 548, 5000].map(offset => pageAt(layout, offset))).toEqual([1, 1, 1, 2, 3, 3])
})

test('a place converts to an offset and back', () => {
  for (const offset of [16, 100, 440, 700]) expect(offsetOf(layout, placeAt(layout, offset))).toBeCloseTo(offset)
})
