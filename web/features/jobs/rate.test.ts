import { expect, it } from 'vitest'
import { Rates, secondsLeft, shareOf } from './rate.ts'

const job = (bytes: number, bytesTotal?: number) => ({
  id: 'a',
  progress: { bytes, entries: 0, ...(bytesTotal === undefined ? {} : { bytesTotal }) },
})
const count = { total: 4, done: 1, skipped: 0, failed: 1, cancelled: 0 }

it('tells the rate of the last seconds, and what is left at that rate', () => {
  const rates = new Rates()
  rates.note(job(0), 0)
  expect(rates.of('a')).toBeUndefined()
  rates.note(job(4000), 2000)
  expect(rates.of('a')).toBe(2000)
  rates.note(job(4000), 60_000)
  rates.note(job(5000), 61_000)
  expect(rates.of('a')).toBe(1000)
  expect(secondsLeft(job(5000, 8000), rates.of('a'))).toBe(3)
  expect(secondsLeft(job(5000), 1000)).toBeUndefined()
})

it('takes the bytes for the share, else the items, and says nothing of a single one', () => {
  expect(shareOf({ ...job(25, 100), count })).toBe(0.25)
  expect(shareOf({ ...job(25), count })).toBe(0.5)
  expect(shareOf({ ...job(25), count: { ...count, total: 1 } })).toBeUndefined()
})
