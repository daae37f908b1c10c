// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { followEvents } from './jobs.ts'
import { crowdedStore } from './live-updates.ts'

const SOON = 2000

/** What the server, or something before it, answers to a request for events. */
let stream: (signal: AbortSignal) => Promise<Response>
let asked: string[]

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  vi.stubGlobal('fetch', (address: string, { signal }: RequestInit = {}) => {
    asked.push(new URL(address, 'http://here').pathname)
    const isStream = address.includes('/api/events')
    return isStream ? stream(signal ?? new AbortController().signal) : Promise.resolve(Response.json([]))
  })
})
afterEach(() => {
  crowdedStore.set(false)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Nothing comes, as behind a proxy that collects answers. */
const heldBack = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** Follows a folder. @returns how many times it was told of, and what ends it */
function following() {
  const told = vi.fn()
  const end = followEvents({ path: parsePath('/folder'), seen: () => undefined }, told)
  return { told: () => told.mock.calls.length, end }
}

test('where events are held back a folder is asked for within two seconds, from the beginning', async () => {
  stream = heldBack
  const { told, end } = following()
  for (let round = 1; round <= 6; round += 1) {
    await vi.advanceTimersByTimeAsync(SOON)
    expect(told()).toBeGreaterThanOrEqual(round)
  }
  end()
})

test('once events come nothing is asked any more, and each is told', async () => {
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const writer = body.writable.getWriter()
  stream = async () => new Response(body.readable)
  const { told, end } = following()
  void writer.write(new TextEncoder().encode('retry: 3000\n\n'))
  await vi.advanceTimersByTimeAsync(10 * SOON)
  expect([told(), asked.filter(path => path === '/api/jobs').length]).toEqual([0, 1])
  void writer.write(new TextEncoder().encode('event: folder\ndata: {}\n\n'))
  await vi.advanceTimersByTimeAsync(0)
  expect(told()).toBe(1)
  end()
})

test('while uploads take the connections there is no stream, and the folder is asked for', async () => {
  crowdedStore.set(true)
  stream = heldBack
  const { told, end } = following()
  await vi.advanceTimersByTimeAsync(3 * SOON)
  expect(asked).not.toContain('/api/events')
  expect(told()).toBeGreaterThanOrEqual(3)
  crowdedStore.set(false)
  await vi.advanceTimersByTimeAsync(3 * SOON)
  expect(asked).toContain('/api/events')
  end()
})
