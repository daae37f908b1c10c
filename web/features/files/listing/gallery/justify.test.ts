import fc from 'fast-check'
import { expect, test } from 'vitest'
import { justify } from './justify.ts'

const ROW = { width: 1000, gap: 10, height: 200, goesOn: true }
const ratio = fc.double({ min: 1 / 3, max: 5, noNaN: true })

/** The images of each row, and its width. */
function widths(ratios: readonly number[], options = ROW): { width: number; height: number; count: number }[] {
  let from = 0
  return justify(ratios, options).map(({ to, height }) => {
    const row = ratios.slice(from, to)
    from = to
    const width = row.reduce((sum, each) => sum + each * height, 0) + options.gap * (row.length - 1)
    return { width, height, count: row.length }
  })
}

test('every image is in one row, and no row is wider than the gallery', () => {
  fc.assert(
    fc.property(fc.array(ratio, { maxLength: 120 }), fc.boolean(), (ratios, goesOn) => {
      const rows = widths(ratios, { ...ROW, goesOn })
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(ratios.length)
      for (const { width } of rows) expect(width).toBeLessThanOrEqual(ROW.width + 0.01)
    }),
  )
})

test('rows of ordinary photos are as wide as the gallery, and about as high as wanted', () => {
  const ratios = Array.from({ length: 90 }, (_, index) => [4 / 3, 3 / 4, 3 / 2, 16 / 9][index % 4] ?? 1)
  for (const { width, height } of widths(ratios)) {
    expect(width).toBeCloseTo(ROW.width)
    expect(height).toBeGreaterThan(140)
    expect(height).toBeLessThan(280)
  }
})

test('the last row of all keeps the wanted height where its images do not fill it', () => {
  expect(justify([1, 1], { ...ROW, goesOn: false })).toEqual([{ to: 2, height: 200 }])
})

test('a panorama wider than the gallery has a lower row of its own', () => {
  expect(justify([1, 1, 1, 1, 1, 30, 1, 1, 1, 1, 1], ROW).map(({ to }) => to)).toEqual([5, 6, 11])
})

test('a narrow image alone does not grow beyond measure', () => {
  expect(justify([0.4], ROW)[0]?.height).toBe(320)
})
