// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { beginSession, endSession } from '../../lib/token.ts'
import type { Decision } from '../files/operations/conflicts/conflict.ts'
import { percentOf } from './job.ts'
import { UploadQueue } from './queue.ts'
import { fileJob, jobs, scriptedTransport } from './test-transport.ts'
import type { Transport } from './transport-types.ts'

const settle = () => vi.advanceTimersByTimeAsync(200)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('five uploads run concurrently, the next one starts when one is done', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(8))
  await settle()
  expect(sending.map(call => call.path)).toEqual(['/f0', '/f1', '/f2', '/f3', '/f4'])
  sending[0]?.finish()
  await settle()
  expect(sending.map(call => call.path)).toContain('/f5')
  expect(queue.get().totals).toMatchObject({ total: 8, done: 1, active: 5, queued: 2 })
})

test('progress reaches listeners at most every 100 ms', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add([fileJob('/big', 1000)])
  await settle()
  const listener = vi.fn()
  queue.subscribe(listener)
  for (let sent = 1; sent <= 500; sent += 1) {
    sending[0]?.onProgress(sent)
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(listener.mock.calls.length).toBeGreaterThanOrEqual(4)
  expect(listener.mock.calls.length).toBeLessThanOrEqual(6)
})

test('percent is rounded up', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add([fileJob('/big', 1000)])
  await settle()
  sending[0]?.onProgress(451)
  await settle()
  expect(percentOf(queue.get().totals)).toBe(46)
})

test('a finished run is reported once and leaves an empty queue', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  const ended = vi.fn()
  queue.onSettled(ended)
  queue.add(jobs(2))
  await settle()
  while (sending.length > 0) sending[0]?.finish()
  await settle()
  expect(ended.mock.calls).toEqual([[{ done: 2, skipped: 0, failed: 0 }]])
  expect(queue.get()).toMatchObject({ jobs: [], totals: { total: 0, done: 0 } })
})

test('an empty folder is created like any other', async () => {
  const { transport, folders } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add([{ path: parsePath('/empty'), file: undefined, existing: undefined }])
  await settle()
  expect(folders).toEqual(['/empty'])
  expect(queue.get().jobs).toEqual([])
})

test('a conflict waits for a decision and does not block the others', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  const ended = vi.fn()
  queue.onSettled(ended)
  queue.add(jobs(2))
  await settle()
  sending[0]?.fail(409, 'exists')
  await settle()
  sending[0]?.finish()
  await settle()
  expect(queue.get().jobs.map(job => [job.path, job.state])).toEqual([['/f0', 'conflict']])
  expect(ended).not.toHaveBeenCalled()
})

test('replacing sends the file again with permission to overwrite', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(1))
  await settle()
  expect(sending[0]?.override).toBe(false)
  sending[0]?.fail(409)
  await settle()
  queue.decide(queue.get().jobs[0]?.id ?? '', 'replace')
  await settle()
  expect(sending[0]).toMatchObject({ path: '/f0', override: true })
})

test('keeping both numbers the name until one is free', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add([{ ...fileJob('/a.txt'), existing: { size: 1, modified: 0, isDir: false } }])
  await settle()
  expect(sending).toEqual([])
  queue.decide(queue.get().jobs[0]?.id ?? '', 'keepBoth')
  await settle()
  expect(sending[0]).toMatchObject({ path: '/a(1).txt', override: false })
  sending[0]?.fail(409)
  await settle()
  expect(sending[0]?.path).toBe('/a(2).txt')
})

test('skipping removes the file and ends the run', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  const ended = vi.fn()
  queue.onSettled(ended)
  queue.add(jobs(1))
  await settle()
  sending[0]?.fail(409)
  await settle()
  queue.decide(queue.get().jobs[0]?.id ?? '', 'skip')
  await settle()
  expect(queue.get().jobs).toEqual([])
  expect(ended).toHaveBeenCalledWith({ done: 0, skipped: 1, failed: 0 })
})

test('a refused upload stays in the list with its reason and can be retried', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(1))
  await settle()
  sending[0]?.fail(507, 'no_space')
  await settle()
  const [job] = queue.get().jobs
  expect(job).toMatchObject({ state: 'failed', failure: { reason: 'noSpace' } })
  queue.retry(job?.id ?? '')
  await settle()
  expect(sending.length).toBe(1)
})

test('a file whose folder was deleted fails with that reason, and starts from scratch on a retry', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(2))
  await settle()
  sending[0]?.onKept(5)
  sending[0]?.fail(404, 'not_found')
  await settle()
  const [failed] = queue.get().jobs
  expect(failed).toMatchObject({ state: 'failed', failure: { reason: 'folderGone' } })
  expect(sending.map(({ path }) => path)).toEqual(['/f1'])
  queue.retry(failed?.id ?? '')
  await settle()
  expect(sending[1]).toMatchObject({ path: '/f0', begun: false })
})

test('a lost connection waits until the server responds again, and every file resumes', async () => {
  const { transport, sending, server } = scriptedTransport()
  const queue = new UploadQueue(transport)
  server.reachable = false
  queue.add(jobs(7))
  await settle()
  sending[0]?.fail(0)
  await vi.advanceTimersByTimeAsync(300_000)
  expect(queue.get()).toMatchObject({ paused: 'offline', totals: { queued: 7, failed: 0, active: 0 } })
  server.reachable = true
  await vi.advanceTimersByTimeAsync(16_000)
  expect(queue.get().paused).toBeUndefined()
  expect(sending.length).toBe(5)
})

test('a file that never gets through while the server responds fails after some attempts', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(1))
  for (let attempt = 0; attempt <= 5; attempt += 1) {
    await vi.advanceTimersByTimeAsync(2000)
    expect(sending[0]?.attempt).toBe(attempt)
    sending[0]?.fail(attempt % 2 === 0 ? 0 : 502)
  }
  await settle()
  expect(queue.get().jobs[0]).toMatchObject({ state: 'failed', failure: { reason: 'connection' } })
})

test("progress resets a file's attempts", async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(1))
  for (let piece = 1; piece <= 9; piece += 1) {
    await vi.advanceTimersByTimeAsync(2000)
    sending[0]?.onKept(piece)
    sending[0]?.fail(0)
  }
  await vi.advanceTimersByTimeAsync(2000)
  expect(sending[0]).toMatchObject({ begun: true, attempt: 1 })
})

test('while the browser is offline nothing is sent, and afterwards everything resumes', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(1))
  await settle()
  queue.pauseAll('offline')
  await settle()
  expect(sending).toEqual([])
  expect(queue.get()).toMatchObject({ paused: 'offline', jobs: [{ state: 'queued' }] })
  queue.resume()
  await settle()
  expect(sending.length).toBe(1)
})

test('one file can be paused while the others continue, and keeps its progress', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(6))
  await settle()
  sending[0]?.onKept(4)
  sending[0]?.onProgress(4)
  queue.pause(queue.get().jobs[0]?.id ?? '')
  await settle()
  expect(sending.map(call => call.path)).toEqual(['/f1', '/f2', '/f3', '/f4', '/f5'])
  expect(queue.get().jobs[0]).toMatchObject({ state: 'paused', sent: 4 })
  sending[0]?.finish()
  queue.unpause(queue.get().jobs[0]?.id ?? '')
  await settle()
  expect(sending.at(-1)).toMatchObject({ path: '/f0', begun: true })
})

test('a file of which all may have arrived before a pause is compared with the server before it is sent again', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(2))
  await settle()
  sending[0]?.onProgress(10)
  queue.pauseAll('person')
  await settle()
  queue.resume()
  await settle()
  expect(sending).toMatchObject([
    { path: '/f0', begun: true },
    { path: '/f1', begun: false },
  ])
})

test('a pause by the user does not end automatically', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(2))
  await settle()
  queue.pauseAll('person')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(sending).toEqual([])
  expect(queue.get()).toMatchObject({ paused: 'person', totals: { queued: 2 } })
})

test('cancelling a chunked upload removes it from the server', async () => {
  const { transport, sending, discarded } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(2))
  await settle()
  sending[0]?.onKept(0)
  queue.cancelAll()
  await settle()
  expect(discarded).toEqual(['/f0'])
})

describe('the existing file', () => {
  const existing = { size: 10, modified: Date.UTC(2024, 0, 1), isDir: false }
  const meet = async (decision: Decision) => {
    const scripted = scriptedTransport()
    const queue = new UploadQueue(scripted.transport)
    const ended = vi.fn()
    queue.onSettled(ended)
    queue.add([{ ...fileJob('/a'), existing }])
    await settle()
    return { ...scripted, queue, ended, decide: () => queue.decide(queue.get().jobs[0]?.id ?? '', decision) }
  }

  test('is replaced only in the version shown; a changed one prompts again', async () => {
    const { sending, queue, decide } = await meet('replace')
    decide()
    await settle()
    expect(sending[0]).toMatchObject({ override: true, unmodifiedSince: existing.modified })
    sending[0]?.fail(412, 'precondition_failed')
    await settle()
    expect(queue.get().jobs[0]).toMatchObject({ state: 'conflict', existing: undefined })
  })

  test('stays if the server reports it as newer', async () => {
    const { sending, ended, decide } = await meet('replaceOlder')
    decide()
    await settle()
    expect(sending[0]?.override).toBe(true)
    sending[0]?.fail(412, 'precondition_failed')
    await settle()
    expect(ended).toHaveBeenCalledWith({ done: 0, skipped: 1, failed: 0 })
  })

  test('stays without a byte being sent if it is identical', async () => {
    const { sending, server, ended, decide } = await meet('skipIdentical')
    server.same = true
    decide()
    await settle()
    expect(sending).toEqual([])
    expect(ended).toHaveBeenCalledWith({ done: 0, skipped: 1, failed: 0 })
  })
})

test('an ended session pauses the queue and loses nothing', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(7))
  await settle()
  for (const call of [...sending]) call.fail(401)
  await settle()
  expect(queue.get()).toMatchObject({ paused: 'session', totals: { queued: 7, failed: 0 } })
  queue.resume()
  await settle()
  expect(sending.length).toBe(5)
})

test('a token exchanged during an upload does not pause it', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  beginSession(`a.${btoa(JSON.stringify({ user: { id: 1 } }))}.c`)
  queue.add(jobs(1))
  await settle()
  sending[0]?.fail(401)
  await settle()
  endSession('logout')
  expect(queue.get().paused).toBeUndefined()
  expect(sending.map(({ path }) => path)).toEqual(['/f0'])
})

test('cancelling stops sending and uncounts the file', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add(jobs(3))
  await settle()
  queue.cancel(queue.get().jobs[1]?.id ?? '')
  await settle()
  expect(sending.map(call => call.path)).toEqual(['/f0', '/f2'])
  expect(queue.get().totals).toMatchObject({ total: 2, bytes: 20 })
  queue.cancelAll()
  await settle()
  expect(sending).toEqual([])
  expect(queue.get()).toMatchObject({ jobs: [], totals: { total: 0 } })
})

test('ten thousand files pass through without slowing down the queue', async () => {
  vi.useRealTimers()
  const done: string[] = []
  const { transport: scripted } = scriptedTransport()
  const transport: Transport = { ...scripted, sendFile: async path => void done.push(path) }
  const queue = new UploadQueue(transport)
  const started = performance.now()
  const ended = new Promise(resolve => queue.onSettled(resolve))
  queue.add(jobs(10_000))
  expect(await ended).toEqual({ done: 10_000, skipped: 0, failed: 0 })
  expect(performance.now() - started).toBeLessThan(5000)
  expect(done.length).toBe(10_000)
})
