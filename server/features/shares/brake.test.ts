import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Brake, MISSES_PER_ADDRESS } from './brake.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('SHR-06 guessing links ends after some that are not there', () => {
  const brake = new Brake()
  for (let index = 0; index < MISSES_PER_ADDRESS.most; index += 1) {
    expect(brake.waitForLinks('192.0.2.1')).toBe(0)
    brake.miss('192.0.2.1')
  }
  expect(brake.waitForLinks('192.0.2.1')).toBe(MISSES_PER_ADDRESS.window)
  expect(brake.waitForLinks('192.0.2.2')).toBe(0)
})

test('the memory of attempts does not grow without end', () => {
  const brake = new Brake()
  for (let index = 0; index < 30_000; index += 1) brake.miss(`a${index}`)
  expect(brake.waitForLinks('a0')).toBe(0)
})
