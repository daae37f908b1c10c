import { expect, it } from 'vitest'
import { Rates } from './rate.ts'

it('measures the rate of the last seconds', () => {
  const rates = new Rates()
  rates.note('a', 0, 0)
  expect(rates.of('a')).toBeUndefined()
  rates.note('a', 4000, 2000)
  expect(rates.of('a')).toBe(2000)
  rates.note('a', 4000, 60_000)
  rates.note('a', 5000, 61_000)
  expect(rates.of('a')).toBe(1000)
})

it('restarts when progress goes back', () => {
  const rates = new Rates()
  rates.note('a', 5000, 0)
  rates.note('a', 1000, 1000)
  rates.note('a', 3000, 2000)
  expect(rates.of('a')).toBe(2000)
})
