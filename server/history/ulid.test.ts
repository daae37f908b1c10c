import { expect, test } from 'vitest'
import { isUlid, timeOf, ulid } from './ulid.ts'

test('ids sort by time, and within a millisecond by the order in which they were made', () => {
  const now = Date.now()
  const ids = [now - 1, ...Array.from({ length: 1000 }, () => now), now + 1].map(time => ulid(time))
  expect([...ids].sort()).toEqual(ids)
  expect(ids.every(isUlid)).toBe(true)
  expect(timeOf(ids[1] ?? '')).toBe(now)
})
