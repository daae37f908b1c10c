import { describe, expect, test } from 'vitest'
import { readLifetime } from './routes.ts'

describe('the lifetime of a link', () => {
  test.each([
    ['', '', 0],
    ['0', 'days', 0],
    ['1', '', 3600],
    ['24', 'hours', 86_400],
    ['90', 'seconds', 90],
    ['5', 'minutes', 300],
    ['7', 'days', 604_800],
    ['3', 'fortnights', 10_800],
    ['3', 'constructor', 10_800],
    ['007', 'seconds', 7],
    ['2147483647', 'days', 185_542_587_100_800],
  ])('%j %s is %d seconds', (count, unit, seconds) => {
    expect(readLifetime(count, unit)).toBe(seconds)
  })

  test.each(['-1', '1.5', '1e3', ' 5', '5 ', '0x10', '2147483648', '1'.repeat(31), 'NaN', 'Infinity', '٣', 'x'])(
    'is not %j',
    count => {
      expect(() => readLifetime(count, 'seconds')).toThrow('expires: must be a whole number up to 2147483647')
    },
  )
})
