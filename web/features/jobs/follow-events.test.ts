// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Job } from '../../../shared/api/jobs.ts'
import type { TokenUser } from '../../../shared/api/users.ts'
import { parsePath } from '../../../shared/path.ts'
import { queryClient } from '../../lib/query.ts'
import { sessionStore } from '../../lib/session.ts'
import { forgetJobs, jobsStore, listJob, loadJobs, unlistJob } from '../files/api/jobs.ts'
import { connectionsBusyStore } from '../files/api/live-updates.ts'
import { followEvents } from './follow-events.ts'

const SOON = 2000

/** The response of the server, or of a proxy, to a request for events. */
let stream: (signal: AbortSignal) => Promise<Response>
let asked: string[]
/** The list of jobs, as the server has it. */
let jobs: () => Promise<readonly Job[]>

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  jobs = async () => []
  sessionStore.set({ user: { id: 1 } as TokenUser, reason: 'none' })
  vi.stubGlobal('fetch', (address: string, { signal }: RequestInit = {}) => {
    asked.push(new URL(address, 'http://here').pathname)
    const isStream = address.includes('/api/events')
    return isStream ? stream(signal ?? new AbortController().signal) : jobs().then(list => Response.json(list))
  })
})
afterEach(() => {
  connectionsBusyStore.set(false)
  queryClient.clear()
  forgetJobs()
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

test('the events of a folder begin once it is listed', async () => {
  stream = heldBack
  const listing = Promise.withResolvers<void>()
  const folder = { path: parsePath('/folder'), seen: () => undefined, listed: () => listing.promise }
  const end = followEvents({ folder, changes: false }, { onFolder: () => undefined, onChange: () => undefined })
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual([])
  listing.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual(['/api/events'])
  end()
})

test('once events arrive, polling stops and each event is reported', async () => {
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const writer = body.writable.getWriter()
  stream = async () => new Response(body.readable)
  const { listener, end } = following()
  void writer.write(new TextEncoder().encode('retry: 3000\n\n'))
  await vi.advanceTimersByTimeAsync(10 * SOON)
  expect([listener(), asked.filter(path => path === '/api/jobs').length]).toEqual([1, 1])
  void writer.write(new TextEncoder().encode('event: folder\ndata: {}\n\n'))
  await vi.advanceTimersByTimeAsync(0)
  expect(listener()).toBe(2)
  end()
})

test('what others share, and folders of other roots, are asked for again when they may have changed', async () => {
  const loads = vi.fn(async () => [])
  const shown = new QueryObserver(queryClient, { queryKey: ['places', 'mounts'], queryFn: loads })
  const leave = shown.subscribe(() => undefined)
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const writer = body.writable.getWriter()
  stream = async () => new Response(body.readable)
  const { listener, end } = following()
  void writer.write(new TextEncoder().encode('retry: 3000\n\n'))
  await vi.advanceTimersByTimeAsync(SOON)
  expect([loads.mock.calls.length, listener()]).toEqual([1, 1])
  void writer.write(new TextEncoder().encode('event: places\ndata: {}\n\n'))
  await vi.advanceTimersByTimeAsync(0)
  expect([loads.mock.calls.length, listener()]).toEqual([2, 2])
  stream = heldBack
  void writer.close()
  await vi.advanceTimersByTimeAsync(SOON)
  expect(loads).toHaveBeenCalledTimes(3)
  leave()
  end()
})

test('the meter of the storage is asked for again after changes of other devices, once for many, and after new quotas', async () => {
  const loads = vi.fn(async () => ({ total: 1, used: 1 }))
  const shown = new QueryObserver(queryClient, { queryKey: ['usage', '/'], queryFn: loads })
  const leave = shown.subscribe(() => undefined)
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const writer = body.writable.getWriter()
  stream = async () => new Response(body.readable)
  const { end } = following()
  const send = (text: string) => void writer.write(new TextEncoder().encode(text))
  send('retry: 3000\n\n')
  await vi.advanceTimersByTimeAsync(SOON)
  const before = loads.mock.calls.length
  send('event: change\ndata: {"id":"a"}\n\n'.repeat(3))
  await vi.advanceTimersByTimeAsync(1000)
  expect(loads).toHaveBeenCalledTimes(before + 1)
  send('event: quota\ndata: {}\n\n')
  await vi.advanceTimersByTimeAsync(1000)
  expect(loads).toHaveBeenCalledTimes(before + 2)
  leave()
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

describe('the jobs', () => {
  const running = { id: 'a', userID: 1, created: '2026-01-01T00:00:00Z', state: 'running' } as Job
  const ended = { ...running, state: 'done', ended: '2026-01-01T00:00:01Z' } as Job
  const listed = () => jobsStore.get().map(({ id, state }) => [id, state])

  test('show one as ended that ended after they were loaded and before the stream began', async () => {
    const body = new TransformStream<Uint8Array, Uint8Array>()
    stream = async () => new Response(body.readable)
    jobs = async () => [running]
    const { end } = following()
    await vi.advanceTimersByTimeAsync(SOON)
    expect(listed()).toEqual([['a', 'running']])
    jobs = async () => [ended]
    void body.writable.getWriter().write(new TextEncoder().encode('retry: 3000\n\n'))
    await vi.advanceTimersByTimeAsync(0)
    expect(listed()).toEqual([['a', 'done']])
    end()
  })

  test('show one as ended whose creation is answered after the event of its end', () => {
    listJob(ended)
    listJob(running)
    expect(listed()).toEqual([['a', 'done']])
  })

  test('keep what came while they were loaded: a new one, an ended one, and not one that was removed', async () => {
    listJob(running)
    listJob({ ...running, id: 'b' })
    const late = Promise.withResolvers<Job[]>()
    jobs = () => late.promise
    const loading = loadJobs(new AbortController().signal)
    listJob(ended)
    unlistJob('b')
    listJob({ ...running, id: 'c', created: '2026-01-02T00:00:00Z' })
    late.resolve([running, { ...running, id: 'b' }, { ...running, id: 'd', created: '2025-01-01T00:00:00Z' }])
    await loading
    expect(listed()).toEqual([
      ['c', 'running'],
      ['a', 'done'],
      ['d', 'running'],
    ])
  })
})

test('changes that are listed are loaded again when the stream begins', async () => {
  const body = new TransformStream<Uint8Array, Uint8Array>()
  stream = async () => new Response(body.readable)
  const onChange = vi.fn()
  const end = followEvents({ folder: undefined, changes: true }, { onFolder: () => undefined, onChange })
  await vi.advanceTimersByTimeAsync(0)
  expect(onChange).not.toHaveBeenCalled()
  void body.writable.getWriter().write(new TextEncoder().encode('retry: 3000\n\n'))
  await vi.advanceTimersByTimeAsync(0)
  expect(onChange.mock.calls).toEqual([[undefined]])
  end()
})
