import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Box,
  type Geometry,
  geometryOf,
  lineCount,
  lineOf,
  lineStep,
  rowsOfLines,
  rowsWithin,
} from './geometry.ts'
import { indexesOf } from './range-set.ts'

const LIST = { height: 40 }
const MOSAIC = { height: 72, tile: { width: 280, gap: 12 } }
const GALLERY = { height: 0, tile: { width: 280, gap: 12, aspect: 4 / 3 } }

describe('a layout', () => {
  test('of a list has one row per line, as wide as the grid', () => {
    expect(geometryOf(LIST, 7, 900)).toEqual({ tiles: false, count: 7, perLine: 1, width: 900, height: 40, gap: 0 })
  })

  test('of tiles fits as many per line as possible and shares the width among them', () => {
    expect(geometryOf(MOSAIC, 7, 896)).toMatchObject({ perLine: 3, width: (896 - 4 * 12) / 3, height: 72 })
    expect(geometryOf(MOSAIC, 7, 895)).toMatchObject({ perLine: 3 })
    expect(geometryOf(MOSAIC, 7, 887)).toMatchObject({ perLine: 2 })
    expect(geometryOf(MOSAIC, 7, 100)).toMatchObject({ perLine: 1 })
  })

  test('of a gallery keeps the aspect ratio of its tiles', () => {
    const { width, height } = geometryOf(GALLERY, 7, 1000)
    expect(width / height).toBeCloseTo(4 / 3, 1)
  })

  test('computes its lines, the last of which may be short', () => {
    const geometry = geometryOf(MOSAIC, 7, 896)
    expect(lineCount(geometry)).toBe(3)
    expect(lineOf(geometry, 5)).toBe(1)
    expect(rowsOfLines(geometry, [1, 2])).toEqual([3, 4, 5, 6])
  })
})

/** Reference for `rowsWithin`: tests the bounds of every row. */
function oneByOne(geometry: Geometry, box: Box): number[] {
  return Array.from({ length: geometry.count }, (_, index) => index).filter(index => {
    const { gap, width, height, perLine, tiles } = geometry
    const top = gap + lineOf(geometry, index) * lineStep(geometry)
    const start = gap + (index % perLine) * (width + gap)
    const isOutside = tiles && (box.end < start || box.start > start + width)
    return !isOutside && box.bottom >= top && box.top <= top + height
  })
}

test('a rectangle touches exactly the rows under it', () => {
  const length = fc.integer({ min: -50, max: 1500 })
  fc.assert(
    fc.property(
      fc.constantFrom(LIST, MOSAIC, GALLERY),
      fc.integer({ min: 0, max: 40 }),
      fc.tuple(length, length, length, length),
      (layout, count, [a, b, c, d]) => {
        const geometry = geometryOf(layout, count, 896)
        const box = { start: Math.min(a, b), end: Math.max(a, b), top: Math.min(c, d), bottom: Math.max(c, d) }
        expect([...indexesOf(rowsWithin(geometry, box))]).toEqual(oneByOne(geometry, box))
      },
    ),
  )
})

test('a rectangle over the whole of a large gallery is one range', () => {
  const geometry = geometryOf(MOSAIC, 100_000, 896)
  expect(rowsWithin(geometry, { start: 0, end: 896, top: 0, bottom: 1e9 })).toEqual([0, 100_000])
})
