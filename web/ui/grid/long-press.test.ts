import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LONG_PRESS, LongPress } from './long-press.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const touch = (timeStamp: number, clientX = 0) => ({ clientX, clientY: 0, timeStamp })

test('a resting finger selects before it is lifted, once', () => {
  const act = vi.fn()
  const press = new LongPress()
  press.begin(touch(0), act)
  vi.advanceTimersByTime(LONG_PRESS)
  expect(act).toHaveBeenCalledOnce()
  press.release(touch(LONG_PRESS + 200))
  expect(act).toHaveBeenCalledOnce()
  expect(press.swallowsClick()).toBe(true)
})

test('a finger lifted soon selects nothing, and its click counts', () => {
  const act = vi.fn()
  const press = new LongPress()
  press.begin(touch(0), act)
  press.release(touch(LONG_PRESS - 1))
  vi.advanceTimersByTime(LONG_PRESS)
  expect(act).not.toHaveBeenCalled()
  expect(press.swallowsClick()).toBe(false)
})

test('a finger that rested while the page was busy has selected when it is lifted', () => {
  const act = vi.fn()
  const press = new LongPress()
  press.begin(touch(0), act)
  press.release(touch(LONG_PRESS))
  expect(act).toHaveBeenCalledOnce()
  expect(press.swallowsClick()).toBe(true)
})

test('a scrolling finger selects nothing, however long it stays', () => {
  const act = vi.fn()
  const press = new LongPress()
  press.begin(touch(0), act)
  press.move(touch(100, 50))
  vi.advanceTimersByTime(LONG_PRESS)
  press.release(touch(LONG_PRESS * 2, 50))
  expect(act).not.toHaveBeenCalled()
})
