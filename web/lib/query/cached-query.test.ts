import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../api.ts'
import { QueryClient } from './client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const FOLLOWER = { enabled: true, listener: () => undefined }

/** A query whose calls the test answers. */
function setUp(more: { staleTime?: number; gcTime?: number } = {}) {
  const client = new QueryClient()
  const calls: { signal: AbortSignal; answer: (data: unknown) => void; fail: (error: Error) => void }[] = []
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<unknown>((answer, fail) => calls.push({ signal, answer, fail }))
  const options = { queryKey: ['folder', '/a'], queryFn, ...more }
  return { client, calls, options, query: client.query(options) }
}

const soon = () => vi.advanceTimersByTimeAsync(0)

describe('a response', () => {
  it('is shared by concurrent observers, and cached while it is fresh', async () => {
    const { client, calls, options } = setUp()
    const both = Promise.all([client.fetchQuery(options), client.fetchQuery(options)])
    await soon()
    calls[0]?.answer('one')
    expect(await both).toEqual(['one', 'one'])
    expect(await client.fetchQuery(options)).toBe('one')
    expect(calls).toHaveLength(1)
    vi.advanceTimersByTime(5_001)
    void client.fetchQuery(options)
    await soon()
    expect(calls).toHaveLength(2)
  })

  it('keeps its identity when nothing in it has changed', async () => {
    const { client, query } = setUp()
    query.setData({ items: [1] })
    const before = client.getQueryData(['folder', '/a'])
    query.setData({ items: [1] })
    expect(client.getQueryData(['folder', '/a'])).toBe(before)
    query.setData({ items: [2] })
    expect(client.getQueryData(['folder', '/a'])).toEqual({ items: [2] })
  })

  it('is evicted some time after its last observer has left', async () => {
    const { client, query } = setUp({ gcTime: 1000 })
    const stop = query.subscribe(FOLLOWER)
    query.setData('one')
    await vi.advanceTimersByTimeAsync(2000)
    stop()
    await vi.advanceTimersByTimeAsync(999)
    expect(client.getQueryData(['folder', '/a'])).toBe('one')
    await vi.advanceTimersByTimeAsync(1)
    expect(client.getQueryData(['folder', '/a'])).toBeUndefined()
  })
})

describe('a call', () => {
  it('is retried twice when the connection was lost, and then fails', async () => {
    const { calls, query } = setUp()
    const lost = new ApiError(0, '000 No connection')
    const failure = query.fetch().catch((error: unknown) => error)
    for (const wait of [0, 1000, 2000]) {
      await vi.advanceTimersByTimeAsync(wait)
      calls.at(-1)?.fail(lost)
    }
    expect(await failure).toBe(lost)
    expect(calls).toHaveLength(3)
    expect(query.state).toMatchObject({ error: lost, isFetching: false, data: undefined })
  })

  it('is not retried after a refusal, and the previous data stays', async () => {
    const { calls, query } = setUp()
    query.setData('old')
    const refusal = new ApiError(403, '403 Forbidden')
    const failure = query.fetch().catch((error: unknown) => error)
    await soon()
    calls[0]?.fail(refusal)
    expect(await failure).toBe(refusal)
    expect(query.state).toMatchObject({ error: refusal, data: 'old' })
    expect(calls).toHaveLength(1)
  })

  it('is aborted when its last observer leaves, not when another one takes over', async () => {
    const { calls, query } = setUp()
    const stop = query.subscribe(FOLLOWER)
    void query.fetch().catch(() => undefined)
    await soon()
    stop()
    const stopOther = query.subscribe(FOLLOWER)
    await soon()
    expect(calls[0]?.signal.aborted).toBe(false)
    stopOther()
    await soon()
    expect(calls[0]?.signal.aborted).toBe(true)
    calls[0]?.answer('late')
    await soon()
    expect(query.state).toMatchObject({ data: undefined, isFetching: false })
  })

  it('that was aborted does not restore the state before a change', async () => {
    const { client, calls, query } = setUp()
    query.setData('old')
    void query.fetch().catch(() => undefined)
    await soon()
    client.cancelQueries({ queryKey: ['folder'] })
    client.setQueryData(['folder', '/a'], 'changed')
    calls[0]?.answer('old')
    await soon()
    expect(query.state).toMatchObject({ data: 'changed', isFetching: false })
  })

  it('without a response is repeated on demand, also without previous data', async () => {
    const { calls, query } = setUp()
    const first = query.fetch()
    await soon()
    const second = query.restart()
    await soon()
    expect(calls[0]?.signal.aborted).toBe(true)
    calls[0]?.fail(new Error('aborted'))
    calls[1]?.answer('new')
    expect(await Promise.all([first, second])).toEqual(['new', 'new'])
  })

  it('requested afresh before there is data runs after the one under way', async () => {
    const { calls, query } = setUp()
    const first = query.fetch()
    const second = query.fetch({ fresh: true })
    await soon()
    calls[0]?.answer('old')
    expect(await first).toBe('old')
    await soon()
    calls[1]?.answer('new')
    expect(await second).toBe('new')
  })

  it('requested afresh replaces the previous one, also for its awaiters', async () => {
    const { calls, query } = setUp()
    query.setData('old')
    const first = query.fetch()
    await soon()
    const second = query.fetch({ fresh: true })
    await soon()
    calls[0]?.fail(new Error('aborted'))
    calls[1]?.answer('new')
    expect(await Promise.all([first, second])).toEqual(['new', 'new'])
  })
})

describe('invalidation', () => {
  it('refetches observed queries by key prefix, and notifies listeners', async () => {
    const { client, calls, query } = setUp()
    const other = client.query({ queryKey: ['folders'], queryFn: () => Promise.resolve('other') })
    const told: unknown[] = []
    client.onInvalidated(key => told.push(key))
    query.setData('old')
    query.subscribe(FOLLOWER)
    other.subscribe(FOLLOWER)
    const done = client.invalidateQueries({ queryKey: ['folder'] })
    await soon()
    calls[0]?.answer('new')
    await done
    expect(query.state).toMatchObject({ data: 'new', isInvalidated: false })
    expect(told).toEqual([['folder', '/a']])
    expect(other.state.data).toBeUndefined()
  })

  it('leaves unobserved queries for later', async () => {
    const { client, calls, query } = setUp()
    query.setData('old')
    query.subscribe({ ...FOLLOWER, enabled: false })
    await client.invalidateQueries({ queryKey: ['folder', '/a'], exact: true })
    expect(calls).toHaveLength(0)
    expect(query.isStale).toBe(true)
  })
})
