import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { givesBackAtRest } from './worker-memory.ts'

const REST = 1000
const [collect] = [globalThis.gc]
/** Each time that memory is given back. */
const given = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  given.mockClear()
  globalThis.gc = given as unknown as NonNullable<typeof globalThis.gc>
})
afterEach(() => {
  vi.useRealTimers()
  globalThis.gc = collect
})

// What that gives is measured by `npm run bench -- P13`.
describe('a thread without work', () => {
  test('releases memory after a while, a few times, and then stops', () => {
    givesBackAtRest(REST)
    vi.advanceTimersByTime(REST - 1)
    expect(given).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(given).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(100 * REST)
    expect(given).toHaveBeenCalledTimes(3)
  })

  test('collects nothing during work, and continues once it has ended', () => {
    const hasWork = givesBackAtRest(REST)
    for (let count = 0; count < 10; count++) {
      vi.advanceTimersByTime((REST * 2) / 3)
      hasWork()
    }
    expect(given).not.toHaveBeenCalled()
    vi.advanceTimersByTime(100 * REST)
    expect(given).toHaveBeenCalledTimes(3)
    hasWork()
    vi.advanceTimersByTime(100 * REST)
    expect(given).toHaveBeenCalledTimes(6)
  })

  test('does nothing without the garbage collector', () => {
    globalThis.gc = undefined
    givesBackAtRest(REST)
    expect(() => vi.advanceTimersByTime(REST)).not.toThrow()
  })
})
