import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PlainRefusals } from './plain-refusals.ts'

const DAY = 86_400_000

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('refusals are one finding with the last address, until a day has passed without one', async () => {
  const refusals = new PlainRefusals()
  expect(await refusals.findings()).toEqual([])
  for (const address of ['203.0.113.1', '203.0.113.2']) refusals.note(address)
  vi.advanceTimersByTime(DAY - 1)
  expect(await refusals.findings()).toEqual([{ code: 'davRefused', what: '203.0.113.2', amount: 2 }])
  vi.advanceTimersByTime(1)
  expect(await refusals.findings()).toEqual([])
  refusals.note('203.0.113.3')
  expect(await refusals.findings()).toEqual([{ code: 'davRefused', what: '203.0.113.3', amount: 1 }])
})
