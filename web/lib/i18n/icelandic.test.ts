import { expect, test } from 'vitest'
import { icelandic } from './icelandic.ts'

const COUNTS = [-1234, -101, -21, -12, -11, -3, -2, -1, 0, 1, 2, 3, 11, 21, 32]

test('Icelandic is formatted as by engines that support it', () => {
  expect(Intl.NumberFormat.supportedLocalesOf('is')).toEqual(['is'])
  for (const unit of ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const) {
    for (const numeric of ['auto', 'always'] as const) {
      const theirs = new Intl.RelativeTimeFormat('is', { numeric })
      const ours = icelandic.relative({ numeric })
      expect(COUNTS.map(count => ours.format(count, unit))).toEqual(COUNTS.map(count => theirs.format(count, unit)))
    }
  }
  for (const options of [{}, { maximumFractionDigits: 1 }, { style: 'percent' }] as const) {
    const theirs = new Intl.NumberFormat('is', options)
    const numbers = [0, 0.125, 7.26, 1234.5, 12_345_678]
    expect(numbers.map(number => icelandic.number(options).format(number))).toEqual(
      numbers.map(number => theirs.format(number)),
    )
  }
  const dates = Array.from({ length: 12 }, (_, month) => new Date(2026, month, month + 3, month * 2, 7))
  for (const options of [
    { dateStyle: 'medium', timeStyle: 'short' },
    { dateStyle: 'medium' },
    { timeStyle: 'short' },
  ] as const) {
    const theirs = new Intl.DateTimeFormat('is', options)
    expect(dates.map(date => icelandic.date(options).format(date))).toEqual(dates.map(date => theirs.format(date)))
  }
  expect(icelandic.list({ type: 'conjunction' }).format(['a', 'b', 'c'])).toBe('a, b og c')
})
