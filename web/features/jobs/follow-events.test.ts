// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { queryClient } from '../../lib/query.ts'
import { connectionsBusyStore } from '../files/api/live-updates.ts'
import { followEvents } from './follow-events.ts'

const SOON = 2000

/** The response of the server, or of a proxy, to a request for events. */
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
  connectionsBusyStore.set(false)
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Nothing arrives, as behind a buffering proxy. */
const heldBack = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** Follows a folder. @returns the number of notifications, and the function that stops following */
function following() {
  const listener = vi.fn()
  const folder = { path: parsePath('/folder'), seen: () => undefined }
  const end = followEvents({ folder, changes: false }, { onFolder: listener, onChange: () => undefined })
  return { listener: () => listener.mock.calls.length, end }
}

test('where events are buffered, a folder is polled within two seconds, from the start', async () => {
  stream = heldBack
  const { listener, end } = following()
  for (let round = 1; round <= 6; round += 1) {
    await vi.advanceTimersByTimeAsync(SOON)
    expect(listener()).toBeGreaterThanOrEqual(round)
  }
  end()
})

test('once events arrive, polling stops and each event is reported', async () => {
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const writer = body.writable.getWriter()
  stream = async () => new Response(body.readable)
  const { listener, end } = following()
  void writer.write(new TextEncoder().encode('retry: 3000\n\n'))
  await vi.advanceTimersByTimeAsync(10 * SOON)
  expect([listener(), asked.filter(path => path === '/api/jobs').length]).toEqual([0, 1])
  void writer.write(new TextEncoder().encode('event: folder\ndata: {}\n\n'))
  await vi.advanceTimersByTimeAsync(0)
  expect(listener()).toBe(1)
  end()
})

test('while uploads use the connections there is no stream, and the folder is polled', async () => {
  connectionsBusyStore.set(true)
  stream = heldBack
  const { listener, end } = following()
  await vi.advanceTimersByTimeAsync(3 * SOON)
  expect(asked).not.toContain('/api/events')
  expect(listener()).toBeGreaterThanOrEqual(3)
  connectionsBusyStore.set(false)
  await vi.advanceTimersByTimeAsync(3 * SOON)
  expect(asked).toContain('/api/events')
  end()
})

describe('locks and the trash, which events announce from now on, are loaded again', () => {
  /** Shows the locks of a folder. @returns how often they were loaded, and the function that ends it */
  function showing() {
    const loads = vi.fn(async () => [])
    const observer = new QueryObserver(queryClient, { queryKey: ['lock', '/folder'], queryFn: loads })
    return { loads: () => loads.mock.calls.length, leave: observer.subscribe(() => {}) }
  }

  test('when the stream begins', async () => {
    const body = new TransformStream<Uint8Array, Uint8Array>()
    stream = async () => new Response(body.readable)
    const { loads, leave } = showing()
    const { end } = following()
    await vi.advanceTimersByTimeAsync(0)
    expect(loads()).toBe(1)
    void body.writable.getWriter().write(new TextEncoder().encode('retry: 3000\n\n'))
    await vi.advanceTimersByTimeAsync(10 * SOON)
    expect(loads()).toBe(2)
    end()
    leave()
  })

  test('at each poll, where events are buffered', async () => {
    stream = heldBack
    const { loads, leave } = showing()
    const { end } = following()
    await vi.advanceTimersByTimeAsync(2 * SOON)
    expect(loads()).toBe(3)
    end()
    leave()
  })
})
