import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { suspendReloads } from '../files/api/live-updates.ts'
import { folderRefresher } from './refresh-folders.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const folder = parsePath('/a')

it('reloads at once, then once more for all calls in the meantime, and leaves a slow listing its pause', async () => {
  let loads = 0
  const load = async () => {
    loads += 1
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  const reload = folderRefresher(load)
  for (let times = 0; times < 5; times++) reload.ask(folder)
  await vi.advanceTimersByTimeAsync(800)
  expect(loads).toBe(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(loads).toBe(2)
  await vi.advanceTimersByTimeAsync(5000)
  expect(loads).toBe(2)
})

/** Loads twice, since something changed during the first time. @returns the number of loads so far */
async function loadTwice(takes: number): Promise<() => number> {
  let loads = 0
  const reload = folderRefresher(async () => {
    loads += 1
    await new Promise(resolve => setTimeout(resolve, takes))
  })
  reload.ask(folder)
  reload.ask(folder)
  await vi.advanceTimersByTimeAsync(takes)
  return () => loads
}

it.each([100, 450])('shows a change in a listing that takes %d ms within two seconds', async takes => {
  const loads = await loadTwice(takes)
  await vi.advanceTimersByTimeAsync(2000 - takes)
  expect(loads()).toBe(2)
})

it('leaves the server mostly idle when a listing takes long', async () => {
  const loads = await loadTwice(2000)
  await vi.advanceTimersByTimeAsync(5999)
  expect(loads()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(loads()).toBe(2)
})

it('waits while the page itself changes the listing', async () => {
  let loads = 0
  const reload = folderRefresher(async () => {
    loads += 1
  })
  const letGo = suspendReloads()
  reload.ask(folder)
  await vi.advanceTimersByTimeAsync(5000)
  expect(loads).toBe(0)
  letGo()
  letGo()
  await vi.advanceTimersByTimeAsync(0)
  expect(loads).toBe(1)
})
