import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { TestCalls } from './test-worker.ts'
import { WorkerClient, type WorkerClientOptions } from './worker-client.ts'
import { WorkerPool } from './worker-pool.ts'

const WORKER = new URL('./test-worker.ts', import.meta.url)

function client(options?: WorkerClientOptions): WorkerClient<TestCalls> {
  const opened = new WorkerClient<TestCalls>(WORKER, options)
  onTestFinished(() => opened.close())
  return opened
}

async function* numbers(...all: number[]): AsyncGenerator<number> {
  yield* all
}

test('each call gets its own result', async () => {
  const worker = client()
  expect(await Promise.all([1, 2, 3].map(value => worker.request('double', value)))).toEqual([2, 4, 6])
})

test('transferred buffers are moved there and back', async () => {
  const bytes = Uint8Array.of(1, 2, 3)
  expect(await client().request('reverse', bytes, { transfer: [bytes.buffer] })).toEqual(Uint8Array.of(3, 2, 1))
  expect(bytes).toHaveLength(0)
})

test('errors keep their code, and those of the application their class', async () => {
  const worker = client()
  await expect(worker.request('refuse', undefined)).rejects.toMatchObject({ name: 'AppError', code: 'not_found' })
  await expect(worker.request('fail', undefined)).rejects.toMatchObject({ name: 'Error', code: 'ENOENT' })
})

test('a stream yields items in order, next to other calls', async () => {
  const worker = client()
  const seen: number[] = []
  for await (const item of worker.stream('count', 4)) seen.push(item, await worker.request('double', item))
  expect(seen).toEqual([1, 2, 2, 4, 3, 6, 4, 8])
})

test('what a generator returns is the last item', async () => {
  expect(await Array.fromAsync(client().stream('countDown', 2))).toEqual([2, 1, 0])
})

test('a stream that is left early ends in the worker too', async () => {
  const worker = client()
  for await (const item of worker.stream('count', 1000)) if (item === 2) break
  await expect.poll(() => worker.request('leftEarly', undefined)).toBe(1)
  expect(worker.load).toBe(0)
})

test('the worker reads the input of a call', async () => {
  const worker = client()
  expect(await worker.request('sum', 10, { input: numbers(1, 2, 3) })).toBe(16)
  const doubled = worker.stream('doubled', undefined, { input: numbers(1, 2, 3) })
  expect(await Array.fromAsync(doubled)).toEqual([2, 4, 6])
})

test('a stream that is left early returns its input, even while that is awaited', async () => {
  let returned = false
  const input = {
    [Symbol.asyncIterator]: () => ({
      next: (): Promise<IteratorResult<number>> =>
        returned ? new Promise(() => {}) : pause(20, { done: false, value: 4 }),
      return: async (): Promise<IteratorResult<number>> => {
        returned = true
        return { done: true, value: undefined }
      },
    }),
  }
  for await (const item of client().stream('doubled', undefined, { input })) {
    expect(item).toBe(8)
    break
  }
  expect(returned).toBe(true)
})

test('a failing input fails the call, and the worker serves the next one', async () => {
  const worker = client()
  const failing = async function* () {
    yield 1
    throw new Error('the disk failed')
  }
  await expect(worker.request('sum', 0, { input: failing() })).rejects.toThrow('the disk failed')
  expect(await worker.request('double', 4)).toBe(8)
})

test('a crash fails the pending calls, and the next call starts another thread', async () => {
  const crashes: unknown[] = []
  const worker = client({ onCrash: error => crashes.push(error) })
  const pending = [worker.request('crash', undefined), worker.request('never', undefined)]
  for (const call of pending) await expect(call).rejects.toMatchObject({ code: 'unavailable' })
  expect(crashes).toMatchObject([{ message: 'crashed' }])
  expect(await worker.request('double', 1)).toBe(2)
})

test('a crash between two items fails their stream', async () => {
  const worker = client()
  const items = worker.stream('count', 1000)
  await items.next()
  await worker.request('double', 1)
  await expect(worker.request('crash', undefined)).rejects.toMatchObject({ code: 'unavailable' })
  await worker.request('double', 1)
  expect(await items.next()).toEqual({ done: false, value: 2 })
  await expect(items.next()).rejects.toMatchObject({ code: 'unavailable' })
})

test('a signal cancels a call that awaits the worker or its input', async () => {
  const worker = client()
  const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<number>>(() => {}) }) }
  for (const begin of [
    (signal: AbortSignal) => worker.request('never', undefined, { signal }),
    (signal: AbortSignal) => worker.stream('doubled', undefined, { signal, input: silent }).next(),
  ]) {
    const stop = new AbortController()
    const call = begin(stop.signal)
    await worker.request('double', 1)
    stop.abort(new Error('left'))
    await expect(call).rejects.toThrow('left')
  }
  expect(worker.load).toBe(0)
})

test('a worker that does not reply in time is terminated', async () => {
  const worker = client({ deadline: 300 })
  await expect(worker.request('block', undefined)).rejects.toMatchObject({ code: 'unavailable' })
  await expect.poll(() => worker.request('double', 1).catch(() => 'not yet')).toBe(2)
})

test('time spent on the input does not count towards the deadline', async () => {
  const slow = async function* () {
    await pause(1000)
    yield 5
  }
  const worker = client({ deadline: 500 })
  await worker.request('double', 1)
  expect(await worker.request('sum', 0, { input: slow() })).toBe(5)
})

test('an idle thread ends, and the next call starts another', async () => {
  const exits: number[] = []
  const worker = client({ idleTime: 50, onExit: () => exits.push(1) })
  expect(await worker.request('double', 1)).toBe(2)
  await expect.poll(() => exits.length).toBe(1)
  expect(worker.isRunning).toBe(false)
  const items = worker.stream('count', 3)
  await items.next()
  await pause(150)
  expect(await Array.fromAsync(items)).toEqual([2, 3])
})

test('a thread can start ahead of its calls, and emits events', async () => {
  const events: unknown[] = []
  const worker = client({ onEvent: event => events.push(event) })
  expect(worker.isReady).toBe(false)
  worker.start()
  await expect.poll(() => worker.isReady).toBe(true)
  await worker.request('announce', 'news')
  expect(events).toEqual(['news'])
})

test('a thread that is started only once refuses calls after its end', async () => {
  const worker = client({ once: true })
  expect(await worker.request('double', 1)).toBe(2)
  await worker.close()
  await expect(worker.request('double', 1)).rejects.toMatchObject({ code: 'unavailable' })
})

test('closing fails the pending calls', async () => {
  const worker = client()
  const pending = worker.request('never', undefined)
  const refused = expect(pending).rejects.toMatchObject({ code: 'unavailable' })
  await worker.close()
  await refused
})

test('a pool replaces threads that are stuck, up to a limit', async () => {
  const pool = new WorkerPool<TestCalls>(WORKER, { size: 1, stuckAfter: 100, sizeWithStuck: 2, deadline: 20_000 })
  const getStuck = async () => {
    pool.request('never', undefined).catch(() => {})
    await pause(500)
  }
  await getStuck()
  expect(await pool.request('double', 1)).toBe(2)
  await getStuck()
  await expect(pool.request('double', 1)).rejects.toMatchObject({ code: 'unavailable' })
})
