import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { KeyedLock, mapLimit, mapStream, prefetch, Semaphore } from './limit.ts'

async function* of<T>(...items: T[]): AsyncGenerator<T> {
  yield* items
}

describe('a semaphore', () => {
  test('serves waiting callers in order of arrival, also when a newcomer asks as a permit is released', async () => {
    const semaphore = new Semaphore(1)
    const order: string[] = []
    const first = await semaphore.acquire()
    const waiting = ['a', 'b'].map(name => semaphore.run(async () => void order.push(name)))
    first()
    expect(semaphore.tryAcquire()).toBeUndefined()
    await Promise.all(waiting)
    expect(order).toEqual(['a', 'b'])
  })

  test('takes a permit back once, however often it is released', async () => {
    const semaphore = new Semaphore(1)
    const release = await semaphore.acquire()
    release()
    release()
    expect(semaphore.tryAcquire()).toBeDefined()
    expect(semaphore.tryAcquire()).toBeUndefined()
  })

  test('lets an aborted caller leave the queue, and gives its place to the next', async () => {
    const semaphore = new Semaphore(1)
    const release = await semaphore.acquire()
    const abort = new AbortController()
    const aborted = semaphore.acquire(abort.signal)
    const next = semaphore.acquire()
    abort.abort(new Error('gone'))
    await expect(aborted).rejects.toThrow('gone')
    release()
    await expect(next).resolves.toBeTypeOf('function')
  })

  test('refuses callers beyond those that may wait, with the time to try again', async () => {
    const semaphore = new Semaphore(1, { maxWaiting: 1, retryAfter: 5000 })
    const release = await semaphore.acquire()
    const waiting = semaphore.acquire()
    await expect(semaphore.acquire()).rejects.toMatchObject({ code: 'unavailable', wait: 5000 })
    release()
    await waiting
  })

  test('releases the permit when the work fails', async () => {
    const semaphore = new Semaphore(1)
    const failure = semaphore.run(async () => {
      throw new Error('failed')
    })
    await expect(failure).rejects.toThrow('failed')
    expect(semaphore.tryAcquire()).toBeDefined()
  })
})

test('callers with the same key run one after another, others concurrently, and a failure does not stop the next', async () => {
  const lock = new KeyedLock()
  const order: string[] = []
  const work =
    (name: string, fails = false) =>
    async () => {
      order.push(`${name} starts`)
      await pause(5)
      order.push(`${name} ends`)
      if (fails) throw new Error(name)
    }
  const results = await Promise.allSettled([lock.run('k', work('a', true)), lock.run('k', work('b'))])
  expect(results.map(result => result.status)).toEqual(['rejected', 'fulfilled'])
  expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends'])
})

test('mapLimit returns results in order, bounds its calls, and fails only when none is under way', async () => {
  let running = 0
  let most = 0
  const act = async (item: number) => {
    most = Math.max(most, ++running)
    await pause(item % 3)
    running -= 1
    if (item === 7) throw new Error('seven')
    return item * 2
  }
  expect(await mapLimit([1, 2, 3, 4, 5], 2, act)).toEqual([2, 4, 6, 8, 10])
  expect(most).toBe(2)
  await expect(mapLimit([5, 6, 7, 8, 9], 3, act)).rejects.toThrow('seven')
  expect(running).toBe(0)
})

test('prefetch starts calls ahead of its consumer, and discards results that are not consumed', async () => {
  const started: number[] = []
  const discarded: number[] = []
  const act = async (item: number) => {
    started.push(item)
    return item
  }
  for await (const result of prefetch(of(1, 2, 3, 4, 5), act, {
    limit: 3,
    discard: async r => void discarded.push(r),
  })) {
    expect(result).toBe(1)
    break
  }
  expect(started).toEqual([1, 2, 3])
  expect(discarded).toEqual([2, 3])
})

test('prefetch reports a failure at the position of its item', async () => {
  const seen: number[] = []
  const act = async (item: number) => {
    if (item === 2) throw new Error('two')
    return item
  }
  const all = async () => {
    for await (const result of prefetch(of(1, 2, 3), act)) seen.push(result)
  }
  await expect(all()).rejects.toThrow('two')
  expect(seen).toEqual([1])
})

test('mapStream keeps the order of its items, and does not wait for the next item of a slow stream', async () => {
  const slow = Promise.withResolvers<void>()
  async function* items() {
    yield 30
    yield 10
    await slow.promise
    yield 1
  }
  const act = async (item: number) => {
    await new Promise(resolve => setTimeout(resolve, item))
    return item
  }
  const seen: number[] = []
  for await (const result of mapStream(items(), 2, act)) {
    seen.push(result)
    if (result === 10) slow.resolve()
  }
  expect(seen).toEqual([30, 10, 1])
})

test('mapStream reports a failure, and ends its stream', async () => {
  let ended = false
  async function* items() {
    try {
      for (let item = 1; ; item++) yield item
    } finally {
      ended = true
    }
  }
  const act = async (item: number) => {
    if (item === 3) throw new Error('three')
    return item
  }
  const all = async () => {
    for await (const _ of mapStream(items(), 2, act));
  }
  await expect(all()).rejects.toThrow('three')
  expect(ended).toBe(true)
})
