// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { percentOf } from './job.ts'
import { UploadQueue } from './queue.ts'
import { fileJob, scriptedTransport } from './test-transport.ts'

const settle = () => vi.advanceTimersByTimeAsync(200)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('displayed progress never decreases, even when a pause or a lost connection causes bytes to be sent again', async () => {
  const { transport, sending } = scriptedTransport()
  const queue = new UploadQueue(transport)
  queue.add([fileJob('/big', 1000), fileJob('/small', 100)])
  await settle()
  const shown: number[][] = []
  queue.subscribe(() => {
    const { jobs: all, totals } = queue.get()
    shown.push([all.find(({ path }) => path === '/big')?.sent ?? 1000, percentOf(totals)])
  })
  sending[0]?.onKept(0)
  sending[0]?.onProgress(700)
  sending[1]?.onProgress(90)
  await settle()
  queue.pause(queue.get().jobs[0]?.id ?? '')
  await settle()
  queue.unpause(queue.get().jobs[0]?.id ?? '')
  sending.find(({ path }) => path === '/small')?.fail(0)
  await vi.advanceTimersByTimeAsync(5000)
  const again = sending.find(({ path }) => path === '/big')
  again?.onKept(400)
  again?.onProgress(400)
  await settle()
  expect(shown.at(-1)).toEqual([700, 72])
  again?.onProgress(800)
  await settle()
  expect(shown.at(-1)?.[0]).toBe(800)
  for (const column of [0, 1]) {
    const values = shown.map(row => row[column])
    expect(values).toEqual(values.toSorted((one = 0, other = 0) => one - other))
  }
})
