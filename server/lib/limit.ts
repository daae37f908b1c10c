import { AppError } from '../errors.ts'

/** Gives a permit back. Calling it again has no effect. */
export type Release = () => void

export interface SemaphoreOptions {
  /** Callers that may wait for a permit; further ones are refused. Unlimited by default. */
  maxWaiting?: number
  /** Milliseconds after which a refused caller may try again. */
  retryAfter?: number
}

/** Bounds how many callers work at a time. Waiting callers are served in order of arrival. */
export class Semaphore {
  readonly #maxWaiting: number
  readonly #retryAfter: number | undefined
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(permits: number, { maxWaiting = Number.POSITIVE_INFINITY, retryAfter }: SemaphoreOptions = {}) {
    this.#free = permits
    this.#maxWaiting = maxWaiting
    this.#retryAfter = retryAfter
  }

  /**
   * Waits for a permit.
   * @param signal stops waiting
   * @throws the signal's reason; AppError `unavailable` when too many callers wait
   */
  async acquire(signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted()
    const release = this.tryAcquire()
    if (release) return release
    if (this.#waiting.size >= this.#maxWaiting) {
      const wait = this.#retryAfter
      throw new AppError('unavailable', 'unavailable', wait === undefined ? {} : { wait })
    }
    await this.#wait(signal)
    return this.#releaseOnce()
  }

  /** A permit if one is free. */
  tryAcquire(): Release | undefined {
    if (this.#free === 0) return undefined
    this.#free -= 1
    return this.#releaseOnce()
  }

  /** Runs `act` with a permit. The signal only stops waiting; it doesn't interrupt `act`. @throws what `acquire` throws */
  async run<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(signal)
    try {
      return await act()
    } finally {
      release()
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = () => {
      this.#waiting.delete(proceed)
      reject(signal?.reason)
    }
    const proceed = () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    this.#waiting.add(proceed)
    signal?.addEventListener('abort', abort, { once: true })
    return promise
  }

  /** A permit passes directly to the next waiting caller, so that no newcomer overtakes it. */
  #releaseOnce(): Release {
    let held = true
    return () => {
      if (!held) return
      held = false
      const [next] = this.#waiting
      if (!next) {
        this.#free += 1
        return
      }
      this.#waiting.delete(next)
      next()
    }
  }
}

/** Runs callers with the same key one after another. A failure doesn't affect the callers behind it. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<T>(key: string, act: () => Promise<T>): Promise<T> {
    const previous = this.#last.get(key) ?? Promise.resolve()
    const current = previous.then(act, act)
    this.#last.set(key, current)
    try {
      return await current
    } finally {
      if (this.#last.get(key) === current) this.#last.delete(key)
    }
  }
}

/**
 * Calls `act` for each item, at most `limit` at a time.
 * @returns the results in the order of the items
 * @throws the first failure, after every call under way has settled
 */
export async function mapLimit<T, R>(items: readonly T[], limit: number, act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const remaining = items.entries()
  let failure: { thrown: unknown } | undefined
  const work = async () => {
    for (const [index, item] of remaining) {
      if (failure) return
      try {
        results[index] = await act(item)
      } catch (thrown) {
        failure ??= { thrown }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  if (failure) throw failure.thrown
  return results
}

export interface PrefetchOptions<R> {
  /** Calls started before the first result is consumed. */
  limit?: number
  /** Receives the results that the consumer did not take. */
  discard?: (result: R) => Promise<void>
}

/**
 * The results of `act` in the order of the items, with some calls started ahead of the consumer.
 * @throws what `act` throws, at the position of its item
 */
export async function* prefetch<T, R>(
  items: AsyncIterable<T>,
  act: (item: T) => Promise<R>,
  { limit = 8, discard = async () => {} }: PrefetchOptions<R> = {},
): AsyncGenerator<R> {
  const started: Promise<R>[] = []
  const iterator = items[Symbol.asyncIterator]()
  let ended = false
  try {
    for (;;) {
      while (!ended && started.length < limit) {
        const { done, value } = await iterator.next()
        if (done) ended = true
        else started.push(handled(act(value)))
      }
      const next = started.shift()
      if (!next) return
      yield await next
    }
  } finally {
    for (const result of started) await result.then(discard, () => {})
    if (!ended) await iterator.return?.(undefined)
  }
}

/** A promise whose rejection is reported when it is awaited, and not as unhandled before. */
function handled<R>(promise: Promise<R>): Promise<R> {
  promise.catch(() => {})
  return promise
}

/**
 * The results of `act` in the order of a stream, with some calls started ahead of the consumer. A result does not wait
 * for the next item of a slow stream.
 * @throws what `act` or the stream throws
 */
export async function* mapStream<T, R>(
  items: AsyncIterable<T>,
  limit: number,
  act: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const stream = items[Symbol.asyncIterator]()
  const started: Promise<R>[] = []
  let next = handled(stream.next())
  let ended = false
  const nextBefore = (oldest: Promise<R> | undefined) =>
    Promise.race([next, ...(oldest ? [oldest.then(() => undefined)] : [])])
  try {
    while (!ended || started.length > 0) {
      const came = ended || started.length >= limit ? undefined : await nextBefore(started[0])
      if (came?.done) ended = true
      else if (came) {
        started.push(handled(act(came.value)))
        next = handled(stream.next())
      } else {
        const oldest = started.shift()
        if (oldest) yield await oldest
      }
    }
  } finally {
    await stream.return?.()
  }
}
