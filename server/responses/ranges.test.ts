import { describe, expect, test } from 'vitest'
import { parseRanges } from './ranges.ts'

describe('a Range header', () => {
  test.each([
    ['bytes=0-0', [{ start: 0, end: 0 }]],
    ['bytes=2-', [{ start: 2, end: 9 }]],
    ['bytes=-3', [{ start: 7, end: 9 }]],
    ['bytes=-30', [{ start: 0, end: 9 }]],
    ['bytes=5-100', [{ start: 5, end: 9 }]],
    [
      'bytes=0-1, 4-5',
      [
        { start: 0, end: 1 },
        { start: 4, end: 5 },
      ],
    ],
    ['bytes=0-1,20-30', [{ start: 0, end: 1 }]],
  ])('%s of ten bytes requests %j', (header, ranges) => {
    expect(parseRanges(header, 10)).toEqual(ranges)
  })

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99-,100-'])(
    '%s of ten bytes cannot be satisfied',
    header => {
      expect(parseRanges(header, 10)).toBe('unsatisfiable')
    },
  )

  test.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'items=0-1',
    'bytes=0-9,0-9',
    'bytes=1-2-3',
  ])('%j is ignored, and the whole file is sent', header => {
    expect(parseRanges(header, 10)).toBeUndefined()
  })

  test('with hundreds of ranges is ignored', () => {
    expect(parseRanges(`bytes=${Array.from({ length: 200 }, (_, i) => `${i}-${i}`).join(',')}`, 1000)).toBeUndefined()
  })

  test('of an empty file cannot be satisfied', () => {
    expect(parseRanges('bytes=0-', 0)).toBe('unsatisfiable')
  })
})
