import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { squarify } from './squarify.ts'

const VALUES = fc
  .array(fc.integer({ min: 1, max: 1_000_000_000 }), { minLength: 1, maxLength: 60 })
  .map(values => values.toSorted((a, b) => b - a))
const ASPECT = fc.double({ min: 0.3, max: 4, noNaN: true })

describe('a treemap', () => {
  test('gives each item its share of the area, inside the map', () => {
    fc.assert(
      fc.property(VALUES, ASPECT, (values, aspect) => {
        const total = values.reduce((sum, value) => sum + value, 0)
        const boxes = squarify(values, aspect)
        expect(boxes).toHaveLength(values.length)
        for (const [index, { start, top, width, height }] of boxes.entries()) {
          expect(width * height).toBeCloseTo((values[index] ?? 0) / total, 6)
          expect(Math.min(start, top)).toBeGreaterThanOrEqual(-1e-9)
          expect(Math.max(start + width, top + height)).toBeLessThanOrEqual(1 + 1e-6)
        }
      }),
    )
  })

  test('has no overlaps', () => {
    fc.assert(
      fc.property(VALUES, ASPECT, (values, aspect) => {
        const boxes = squarify(values, aspect)
        for (const [index, one] of boxes.entries()) {
          for (const other of boxes.slice(index + 1)) {
            const across = Math.min(one.start + one.width, other.start + other.width) - Math.max(one.start, other.start)
            const along = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
            expect(Math.min(across, along)).toBeLessThan(1e-6)
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  test('prefers squares to stripes', () => {
    const boxes = squarify([4, 4, 4, 4], 1)
    expect(boxes.map(({ width, height }) => [width, height])).toEqual(boxes.map(() => [0.5, 0.5]))
  })

  test('of nothing has no area', () => {
    expect(squarify([], 1)).toEqual([])
    expect(squarify([0, 0], 1).map(({ width, height }) => width * height)).toEqual([0, 0])
  })
})
