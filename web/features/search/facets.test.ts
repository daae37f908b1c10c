import { describe, expect, test } from 'vitest'
import {
  facetOf,
  inLocalTime,
  isOwnRange,
  monthOf,
  recentMonths,
  recentYears,
  tagsOf,
  withFacet,
  withTag,
  yearOf,
} from './facets.ts'

describe('the size or time of a query', () => {
  test.each([
    ['plan', 'size', '>10MB', 'size:>10MB plan'],
    ['size:>1MB plan', 'size', '>10MB', 'size:>10MB plan'],
    ['plan size:>1MB', 'size', '', 'plan '],
    ['size:large plan', 'size', '>10MB', 'size:>10MB size:large plan'],
    ['modified:week type:pdf', 'modified', '2026-01-01..', 'modified:2026-01-01.. type:pdf'],
  ] as const)('%j with the %s %j is %j', (text, facet, word, expected) => {
    expect(withFacet(text, facet, word)).toBe(expected)
    expect(facetOf(expected, facet)).toBe(word)
  })
})

describe('the tag of a query', () => {
  test.each([
    ['plan', 'Urgent', 'tag:Urgent plan'],
    ['tag:"two words" plan', 'a b', 'tag:"a b" plan'],
    ['tag:a tag:b plan', undefined, 'plan'],
  ])('%j with %j is %j', (text, name, expected) => {
    expect(withTag(text, name)).toBe(expected)
    expect(tagsOf(expected)).toEqual(name === undefined ? [] : [name.toLowerCase()])
  })
})

describe('the dates of a query', () => {
  const midnight = (day: number) => new Date(2026, 2, day).toISOString()

  test.each([
    ['modified:2026-03-05', `modified:${midnight(5)}..${midnight(6)}`],
    ['a modified:2026-03-05..2026-03-31 b', `a modified:${midnight(5)}..${midnight(32)} b`],
    ['modified:..2026-03-31', `modified:..${midnight(32)}`],
    ['modified:week', 'modified:week'],
    ['modified:2026-03-05..soon', 'modified:2026-03-05..soon'],
  ])('are days on the user’s clock: %j', (text, expected) => {
    expect(inLocalTime(text)).toBe(expected)
  })
})

describe('the years on offer', () => {
  test('are the present one and those before it, and recognised in a query', () => {
    const years = recentYears(new Date(2026, 10, 28))
    expect(years.map(yearOf)).toEqual(['2026', '2025', '2024', '2023'])
    expect(facetOf(withFacet('type:image', 'modified', years[1] ?? ''), 'modified')).toBe(years[1])
  })

  test.each(['2025-01-01..2026-12-31', '2025-01-01..', '2025-01-01..2025-12-30', 'year'])('%j is none', word => {
    expect(yearOf(word)).toBeUndefined()
  })
})

describe('the months of the menu', () => {
  test('are this one and the one before, also of another year', () => {
    expect(recentMonths(new Date(2027, 0, 31))).toEqual(['2027-01-01..2027-01-31', '2026-12-01..2026-12-31'])
    expect(recentMonths(new Date(2028, 2, 1))[1]).toBe('2028-02-01..2028-02-29')
  })

  test.each([
    ['2026-12-01..2026-12-31', '2026-12-01', false],
    ['2026-12-01..2026-12-30', undefined, true],
    ['2026-12-02..2026-12-31', undefined, true],
    ['2026-01-01..2026-12-31', undefined, false],
    ['..2026-12-31', undefined, true],
    ['week', undefined, false],
  ])('%j is the month %j', (word, month, own) => {
    expect(monthOf(word)).toBe(month)
    expect(isOwnRange(word)).toBe(own)
  })
})
