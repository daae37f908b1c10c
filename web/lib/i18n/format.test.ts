import { describe, expect, it } from 'vitest'
import { sizeUnits } from '../units.ts'
import {
  formatBytes,
  formatDate,
  formatFacts,
  formatList,
  formatPercent,
  formatRelative,
  formatTimes,
  splitBytes,
} from './format.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const SECOND = 1000
const HOUR = 3600 * SECOND

describe('sizes', () => {
  it.each([
    [0, '0\u00a0B'],
    [1023, '1,023\u00a0B'],
    [1024, '1\u00a0KiB'],
    [13_002_342, '12.4\u00a0MiB'],
    [1024 * 1024 - 1, '1\u00a0MiB'],
    [2 ** 40, '1\u00a0TiB'],
    [2 ** 63, '8\u00a0EiB'],
    [-5, '0\u00a0B'],
  ])('%d bytes read %j', (bytes, text) => {
    expect(formatBytes(bytes, 'en')).toBe(text)
  })

  it('are in units of 1000 for users who have chosen these', () => {
    sizeUnits.choose('decimal')
    expect(formatBytes(999, 'en')).toBe('999\u00a0B')
    expect(formatBytes(1000, 'en')).toBe('1\u00a0KB')
    expect(formatBytes(999_960, 'en')).toBe('1\u00a0MB')
    expect(splitBytes(13_002_342, 'de')).toEqual({ value: '13', unit: 'MB' })
    sizeUnits.choose('binary')
    expect(formatBytes(1000, 'en')).toBe('1,000\u00a0B')
  })

  it("use the language's decimal separator", () => {
    expect(formatBytes(1536, 'de')).toBe('1,5\u00a0KiB')
    expect(formatBytes(1536, 'ar')).toMatch(/^\u2066.*KiB\u2069$/)
    expect(splitBytes(1536, 'en')).toEqual({ value: '1.5', unit: 'KiB' })
    expect(formatTimes(1.5, 'de')).toBe('1,5×')
    expect(formatTimes(2, 'ar')).toMatch(/^\u2066.*×\u2069$/)
  })
})

describe('relative dates', () => {
  it.each([
    [NOW - 5 * SECOND, 'now'],
    [NOW - 90 * SECOND, '1 minute ago'],
    [NOW - 5 * HOUR, '5 hours ago'],
    [NOW - 25 * HOUR, 'yesterday'],
    [NOW - 20 * 24 * HOUR, '2 weeks ago'],
    [NOW - 800 * 24 * HOUR, '2 years ago'],
    [NOW + 3 * HOUR, 'in 3 hours'],
    [NOW + 24 * HOUR - 5 * SECOND, 'tomorrow'],
    [NOW + 3 * 24 * HOUR - 5 * SECOND, 'in 3 days'],
    [NOW + 7 * 24 * HOUR - HOUR, 'next week'],
    [NOW + 5 * SECOND, 'now'],
  ])('%d reads %j', (when, text) => {
    expect(formatRelative(when, NOW, 'en')).toBe(text)
  })

  it('are empty for an invalid date', () => {
    expect(formatRelative('', NOW, 'en')).toBe('')
    expect(formatDate('never', 'en')).toBe('')
  })
})

describe('percentages, lists and facts', () => {
  it('percentages have no decimals', () => expect(formatPercent(0.456, 'en')).toBe('46%'))
  it('lists follow the language', () => expect(formatList(['a', 'b', 'c'], 'de')).toBe('a, b und c'))
  it('facts stay with the dot after them', () => expect(formatFacts(['2 GB', '40 %'])).toBe('2 GB\u00A0· 40 %'))
})
