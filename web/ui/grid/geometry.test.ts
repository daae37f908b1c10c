import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Box, type Geometry, geometryOf } from './geometry.ts'
import { indexesOf } from './range-set.ts'

const LIST = { height: 40 }
const MOSAIC = { height: 72, tile: { width: 280, gap: 12 } }

describe('a layout', () => {
  test('of a list has one row per line, as wide as the grid', () => {
    const geometry = geometryOf(LIST, 7, 900)
    expect(geometry).toMatchObject({ tiles: false, lines: 7, total: 280 })
    expect([geometry.topOf(2), geometry.heightOf(2), geometry.placeOf(2)]).toEqual([80, 40, undefined])
  })

  test('of tiles fits as many per line as possible', () => {
    const perLine = (width: number) => geometryOf(MOSAIC, 7, width).rowsOf(0)[1]
    expect([896, 895, 887, 100].map(perLine)).toEqual([3, 3, 2, 1])
  })

  test('computes its lines, the last of which may be short', () => {
    const geometry = geometryOf(MOSAIC, 7, 896)
    expect(geometry.lines).toBe(3)
    expect(geometry.lineOf(5)).toBe(1)
    expect([1, 2].map(geometry.rowsOf)).toEqual([
      [3, 6],
      [6, 7],
    ])
  })

  test('knows the line at a distance, and the nearest one beyond the ends', () => {
    const geometry = geometryOf(MOSAIC, 7, 896)
    expect([-50, 0, 12, 95, 96, 1e6].map(geometry.lineAt)).toEqual([0, 0, 0, 0, 1, 2])
  })
})

/** Reference for `within`: tests the bounds of every row. */
function oneByOne(geometry: Geometry, box: Box): number[] {
  return Array.from({ length: geometry.count }, (_, index) => index).filter(index => {
    const line = geometry.lineOf(index)
    const [gap, width] = [12, (896 - 4 * 12) / 3]
    const start = gap + (index - geometry.rowsOf(line)[0]) * (width + gap)
    const isOutside = geometry.tiles && (box.end < start || box.start > start + width)
    const top = geometry.topOf(line)
    return !isOutside && box.bottom >= top && box.top <= top + geometry.heightOf(line)
  })
}

test('a rectangle touches exactly the rows under it', () => {
  const length = fc.integer({ min: -50, max: 1500 })
  fc.assert(
    fc.property(
      fc.constantFrom(LIST, MOSAIC),
      fc.integer({ min: 0, max: 40 }),
      fc.tuple(length, length, length, length),
      (layout, count, [a, b, c, d]) => {
        const geometry = geometryOf(layout, count, 896)
        const box = { start: Math.min(a, b), end: Math.max(a, b), top: Math.min(c, d), bottom: Math.max(c, d) }
        expect([...indexesOf(geometry.within(box))]).toEqual(oneByOne(geometry, box))
      },
    ),
  )
})

test('a rectangle over the whole of a large gallery is one range', () => {
  const geometry = geometryOf(MOSAIC, 100_000, 896)
  expect(geometry.within({ start: 0, end: 896, top: 0, bottom: 1e9 })).toEqual([0, 100_000])
})
