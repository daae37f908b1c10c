import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexesOf } from '../../../../ui/grid/range-set.ts'
import { arrangeGallery, SECTION, sectionsOf } from './arrange.ts'

const SIZES = { picture: 200, chip: { height: 44, width: 200 }, gap: 8, heading: 40 }
const PHOTOS = Array.from({ length: 250 }, (_, index) => [4 / 3, 3 / 4, 16 / 9, 1, 5, 0.4][index % 6] ?? 1)
const gallery = arrangeGallery(7, PHOTOS, 1000, SIZES)
const lines = Array.from({ length: gallery.lines }, (_, line) => line)

/** Where a tile is, from the inline start and from the top. */
function boxOf(index: number, of = gallery) {
  const { shift = 0, size = '0px' } = of.placeOf(index) ?? {}
  const top = of.topOf(of.lineOf(index))
  return { start: shift, end: shift + Number.parseFloat(size), top, bottom: top + of.heightOf(of.lineOf(index)) }
}
const middleOf = (index: number) => (boxOf(index).start + boxOf(index).end) / 2

test('folders come first, as chips of one size, and never share a line with a image', () => {
  expect(gallery.rowsOf(0)).toEqual([0, 4])
  expect(gallery.rowsOf(1)).toEqual([4, 7])
  expect(gallery.heightOf(0)).toBe(44)
  expect(gallery.rowsOf(2)[0]).toBe(7)
})

test('the lines hold all rows in order, one below the other', () => {
  expect(
    lines
      .flatMap(line => gallery.rowsOf(line))
      .filter((_, at) => at % 2 === 1)
      .at(-1),
  ).toBe(257)
  for (const line of lines.slice(1)) {
    expect(gallery.rowsOf(line)[0]).toBe(gallery.rowsOf(line - 1)[1])
    expect(gallery.topOf(line)).toBe(gallery.topOf(line - 1) + gallery.heightOf(line - 1) + 8)
  }
  expect(gallery.total).toBe(gallery.topOf(lines.length - 1) + gallery.heightOf(lines.length - 1) + 8)
})

test('every line is found by its rows and by its distance from the top', () => {
  for (const line of lines) {
    const [from, to] = gallery.rowsOf(line)
    expect([gallery.lineOf(from), gallery.lineOf(to - 1)]).toEqual([line, line])
    expect([gallery.lineAt(gallery.topOf(line)), gallery.lineAt(gallery.topOf(line) + 30)]).toEqual([line, line])
  }
  expect([gallery.lineAt(-9), gallery.lineAt(1e9)]).toEqual([0, lines.length - 1])
})

test('other proportions in one section leave the lines of the sections above as they were', () => {
  const other = arrangeGallery(
    7,
    PHOTOS.map((ratio, at) => (at < SECTION ? ratio : 2)),
    1000,
    SIZES,
  )
  for (let index = 0; index < 7 + SECTION; index += 1) expect(boxOf(index, other)).toEqual(boxOf(index))
})

describe('moving by lines', () => {
  test('reaches the tile whose middle is nearest', () => {
    for (let index = 0; index < 200; index += 1) {
      const [from, to] = gallery.rowsOf(gallery.lineOf(index) + 1)
      const reached = gallery.stepFrom(index, 1)
      expect(gallery.lineOf(reached)).toBe(gallery.lineOf(index) + 1)
      for (let other = from; other < to; other += 1) {
        const distance = Math.abs(middleOf(reached) - middleOf(index))
        expect(distance).toBeLessThanOrEqual(Math.abs(middleOf(other) - middleOf(index)))
      }
    }
  })

  test('stops at the first and at the last line', () => {
    expect([gallery.stepFrom(2, -1), gallery.stepFrom(256, 1)]).toEqual([2, 256])
    expect(gallery.lineOf(gallery.stepFrom(200, -1000))).toBe(0)
    expect(gallery.lineOf(gallery.stepFrom(0, 1000))).toBe(lines.length - 1)
  })
})

test('a rectangle touches exactly the tiles under it', () => {
  const length = fc.integer({ min: -50, max: 1100 })
  fc.assert(
    fc.property(length, length, length, length, (a, b, c, d) => {
      const box = { start: Math.min(a, b), end: Math.max(a, b), top: Math.min(c, d), bottom: Math.max(c, d) }
      const touched = Array.from({ length: 257 }, (_, index) => index).filter(index => {
        const { start, end, top, bottom } = boxOf(index)
        return box.end >= start && box.start <= end && box.bottom >= top && box.top <= bottom
      })
      expect([...indexesOf(gallery.within(box))]).toEqual(touched)
    }),
    { numRuns: 60 },
  )
})

describe('months', () => {
  const months = [
    { from: 0, to: 3 },
    { from: 3, to: 120 },
    { from: 120, to: 250 },
  ]
  const dated = arrangeGallery(7, PHOTOS, 1000, SIZES, sectionsOf(PHOTOS.length, months))

  test('begin lines of their own, below the space for their heading', () => {
    for (const [at, { from, to }] of months.entries()) {
      const block = dated.months[at]
      const line = dated.lineOf(7 + from)
      expect(dated.rowsOf(line)[0]).toBe(7 + from)
      expect(dated.topOf(line)).toBe((block?.top ?? 0) + SIZES.heading)
      const last = dated.lineOf(7 + to - 1)
      expect(block?.end).toBe(dated.topOf(last) + dated.heightOf(last) + SIZES.gap)
      expect(block?.end).toBe(dated.months[at + 1]?.top ?? dated.total)
    }
  })

  test('end with rows that need not be full, which those in the middle are', () => {
    const endOf = (index: number) => boxOf(index, dated).end
    expect(endOf(7 + 2)).toBeLessThan(900)
    const [, to] = dated.rowsOf(dated.lineOf(7 + 3 + SECTION - 1))
    expect(to).toBe(7 + 3 + SECTION)
    expect(endOf(to - 1)).toBeCloseTo(992)
  })

  test('leave a gallery without dates as it is', () => {
    expect(sectionsOf(250, []).map(({ from, to, goesOn }) => [from, to, goesOn])).toEqual([
      [0, 100, true],
      [100, 200, true],
      [200, 250, false],
    ])
    expect([gallery.months, gallery.covered]).toEqual([[], 0])
  })
})

test('an empty gallery has no lines', () => {
  expect(arrangeGallery(0, [], 1000, SIZES)).toMatchObject({ lines: 0, count: 0 })
})
