import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Brake, MISSES_PER_ADDRESS, PASSWORDS_PER_ADDRESS, PASSWORDS_PER_LINK, PASSWORDS_PER_VISITOR } from './brake.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const wrong = async () => false
const right = async () => true
const address = (number: number) => `198.51.${Math.floor(number / 250)}.${number % 250}`

describe('guessing a password', () => {
  test('ends after some tries, for one link and one address', async () => {
    const brake = new Brake()
    for (let index = 0; index < PASSWORDS_PER_VISITOR.most; index += 1) {
      expect(await brake.tryPassword('link', '192.0.2.1', wrong)).toBe(false)
    }
    expect(await brake.tryPassword('link', '192.0.2.1', right)).toBe(PASSWORDS_PER_VISITOR.window)
    expect(await brake.tryPassword('other', '192.0.2.1', right)).toBe(true)
    expect(await brake.tryPassword('link', '192.0.2.2', right)).toBe(true)
  })

  test('is possible again later', async () => {
    const brake = new Brake()
    for (let index = 0; index < PASSWORDS_PER_VISITOR.most; index += 1) await brake.tryPassword('link', '::1', wrong)
    vi.advanceTimersByTime(PASSWORDS_PER_VISITOR.window)
    expect(await brake.tryPassword('link', '::1', right)).toBe(true)
  })

  test('from many addresses ends as well', async () => {
    const brake = new Brake()
    let tried = 0
    for (let index = 0; index < 1000; index += 1) {
      await brake.tryPassword('link', address(index), async () => ++tried < 0)
    }
    expect(tried).toBe(PASSWORDS_PER_LINK.most)
  })

  test('of many links from one address ends as well', async () => {
    const brake = new Brake()
    let tried = 0
    for (let index = 0; index < 1000; index += 1) {
      await brake.tryPassword(`link ${index}`, '192.0.2.1', async () => ++tried < 0)
    }
    expect(tried).toBe(PASSWORDS_PER_ADDRESS.most)
  })

  test('many at once is no way round', async () => {
    const brake = new Brake()
    let tried = 0
    const slow = async () => {
      tried += 1
      await Promise.resolve()
      return false
    }
    await Promise.all(Array.from({ length: 100 }, () => brake.tryPassword('link', '192.0.2.1', slow)))
    expect(tried).toBe(PASSWORDS_PER_VISITOR.most)
  })

  test('is not what those do who know it', async () => {
    const brake = new Brake()
    for (let index = 0; index < 500; index += 1) expect(await brake.tryPassword('link', '192.0.2.1', right)).toBe(true)
  })

  test('from one network of the newer kind counts together', async () => {
    const brake = new Brake()
    const inNetwork = (index: number) => `2001:db8:0:1:${index.toString(16)}::${index.toString(16)}`
    for (let index = 0; index < PASSWORDS_PER_VISITOR.most; index += 1) {
      await brake.tryPassword('link', inNetwork(index + 1), wrong)
    }
    expect(await brake.tryPassword('link', '2001:db8:0:1::1', right)).toBe(PASSWORDS_PER_VISITOR.window)
    expect(await brake.tryPassword('link', '2001:db8:0:2::1', right)).toBe(true)
    expect(await brake.tryPassword('link', '2001:db8::1', right)).toBe(true)
  })
})

test('guessing links ends after some that are not there', () => {
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
