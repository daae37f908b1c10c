import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { collectWhenIdle } from './worker-memory.ts'

const IDLE = 1000
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
    collectWhenIdle(IDLE)
    vi.advanceTimersByTime(IDLE - 1)
    expect(given).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(given).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(100 * IDLE)
    expect(given).toHaveBeenCalledTimes(3)
  })

  test('collects nothing during work, and continues once it has ended', () => {
    const hasWork = collectWhenIdle(IDLE)
    for (let count = 0; count < 10; count++) {
      vi.advanceTimersByTime((IDLE * 2) / 3)
      hasWork()
    }
    expect(given).not.toHaveBeenCalled()
    vi.advanceTimersByTime(100 * IDLE)
    expect(given).toHaveBeenCalledTimes(3)
    hasWork()
    vi.advanceTimersByTime(100 * IDLE)
    expect(given).toHaveBeenCalledTimes(6)
  })

  test('does nothing without the garbage collector', () => {
    globalThis.gc = undefined
    collectWhenIdle(IDLE)
    expect(() => vi.advanceTimersByTime(IDLE)).not.toThrow()
  })
})
