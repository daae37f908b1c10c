// @vitest-environment happy-dom
import type { UseQueryOptions } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from './api.ts'
import { onlineStore } from './online.ts'
import { keepPreviousData, queryClient, useQuery } from './query.ts'

const KEY = ['folder', '/a']
const LOST = new ApiError(0, '000 No connection')

let root: Root
let retry: () => Promise<void>
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.useFakeTimers()
  queryClient.mount()
  root = createRoot(document.body)
})
afterEach(() => {
  act(() => root.unmount())
  queryClient.unmount()
  queryClient.clear()
  vi.useRealTimers()
})

/** A query whose calls the test answers. */
function setUp(more: Partial<UseQueryOptions<string>> = {}) {
  const calls: { signal: AbortSignal; answer: (data: string) => void; fail: (error: Error) => void }[] = []
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<string>((answer, fail) => {
      calls.push({ signal, answer, fail })
      signal.addEventListener('abort', () => fail(new Error('aborted')))
    })
  return { calls, options: { queryKey: KEY, queryFn, ...more } }
}

function Shown(options: UseQueryOptions<string>) {
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery(options)
  retry = refetch
  const marks = [isPending && 'pending', isFetching && 'fetching', isPlaceholderData && 'placeholder'].filter(Boolean)
  return `${data ?? error?.message ?? 'nothing'} ${marks.join(' ')}`.trim()
}

const show = (options: UseQueryOptions<string>) => act(async () => root.render(<Shown {...options} />))
const hide = () => act(async () => root.render(null))
const wait = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const doAndWait = (change: () => unknown) => act(async () => void change())
const focusWindow = () => act(async () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
const text = () => document.body.textContent

describe('a response', () => {
  it('is shared by concurrent observers, and cached while it is fresh', async () => {
    const { calls, options } = setUp()
    const both = Promise.all([queryClient.fetchQuery(options), queryClient.fetchQuery(options)])
    calls[0]?.answer('one')
    expect(await both).toEqual(['one', 'one'])
    expect(await queryClient.fetchQuery(options)).toBe('one')
    expect(calls).toHaveLength(1)
    vi.advanceTimersByTime(5_001)
    queryClient.fetchQuery(options).catch(() => undefined)
    expect(calls).toHaveLength(2)
  })

  it('is delivered synchronously', async () => {
    const { calls, options } = setUp()
    await show(options)
    await doAndWait(() => calls[0]?.answer('one'))
    await doAndWait(() => queryClient.setQueryData(KEY, 'two'))
    expect(text()).toBe('two')
  })
})

describe('a call', () => {
  it('is retried twice when the connection was lost, and then fails', async () => {
    const { calls, options } = setUp()
    await show(options)
    for (const pause of [1000, 2000, 0]) {
      calls.at(-1)?.fail(LOST)
      await wait(pause)
    }
    expect(text()).toBe('000 No connection')
    expect(calls).toHaveLength(3)
  })

  it('is not retried after a refusal, and the previous data stays', async () => {
    const { calls, options } = setUp()
    queryClient.setQueryData(KEY, 'old', { updatedAt: 1 })
    await show(options)
    await doAndWait(() => calls[0]?.fail(new ApiError(403, '403 Forbidden')))
    await wait(5000)
    expect(text()).toBe('old')
    expect(queryClient.getQueryState(KEY)?.error?.message).toBe('403 Forbidden')
    expect(calls).toHaveLength(1)
  })

  it('is aborted when its last observer leaves', async () => {
    const { calls, options } = setUp()
    await show(options)
    await hide()
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(queryClient.getQueryState(KEY)).toMatchObject({ data: undefined, fetchStatus: 'idle' })
  })

  it('that was aborted does not restore the state before a change', async () => {
    const { calls, options } = setUp()
    queryClient.setQueryData(KEY, 'old', { updatedAt: 1 })
    await show(options)
    await doAndWait(() => {
      void queryClient.cancelQueries({ queryKey: ['folder'] })
      queryClient.setQueryData(KEY, 'changed')
      calls[0]?.answer('old')
    })
    expect(text()).toBe('changed')
  })

  it('without a response is repeated on demand, also without previous data', async () => {
    const { calls, options } = setUp()
    await show(options)
    const first = queryClient.fetchQuery(options)
    await doAndWait(() => retry())
    expect(calls[0]?.signal.aborted).toBe(true)
    await doAndWait(() => calls[1]?.answer('new'))
    expect(text()).toBe('new')
    expect(await first).toBe('new')
  })
})

describe('invalidation', () => {
  it('refetches observed queries by key prefix', async () => {
    const { calls, options } = setUp()
    queryClient.setQueryData(KEY, 'old')
    queryClient.setQueryData(['folders'], 'other')
    await show(options)
    await doAndWait(() => queryClient.invalidateQueries({ queryKey: ['folder'] }))
    await doAndWait(() => calls[0]?.answer('new'))
    expect(text()).toBe('new')
    expect(queryClient.getQueryState(['folders'])?.isInvalidated).toBe(false)
  })

  it('leaves unobserved queries for later', async () => {
    const { calls, options } = setUp({ enabled: false })
    queryClient.setQueryData(KEY, 'old')
    await show(options)
    await queryClient.invalidateQueries({ queryKey: KEY, exact: true })
    expect(calls).toHaveLength(0)
    expect(queryClient.getQueryState(KEY)?.isInvalidated).toBe(true)
  })

  it('during the first call is followed by another one', async () => {
    const { calls, options } = setUp()
    await show(options)
    const done = queryClient.invalidateQueries({ queryKey: KEY })
    await doAndWait(() => calls[0]?.answer('old'))
    expect(text()).toBe('old fetching')
    await doAndWait(() => calls[1]?.answer('new'))
    await done
    expect(text()).toBe('new')
  })

  it('during a later call replaces that', async () => {
    const { calls, options } = setUp()
    queryClient.setQueryData(KEY, 'old', { updatedAt: 1 })
    await show(options)
    await doAndWait(() => queryClient.invalidateQueries({ queryKey: KEY }))
    expect(calls[0]?.signal.aborted).toBe(true)
    await doAndWait(() => calls[1]?.answer('new'))
    expect(text()).toBe('new')
  })
})

describe('a component', () => {
  it('is pending from the first rendering on, then shows the response', async () => {
    act(() => root.render(<Shown queryKey={['a']} queryFn={() => Promise.resolve('answer')} />))
    expect(text()).toBe('nothing pending fetching')
    await wait()
    expect(text()).toBe('answer')
  })

  it('shows the placeholder data until the next response arrives', async () => {
    const { options } = setUp()
    await show({ queryKey: ['a'], queryFn: () => Promise.resolve('answer'), placeholderData: keepPreviousData })
    await wait()
    await show({ ...options, placeholderData: keepPreviousData })
    expect(text()).toBe('answer fetching placeholder')
  })

  it('refetches a stale response on window focus, and on request when the server is back', async () => {
    let count = 0
    const counted = { queryKey: ['a'], staleTime: 0, queryFn: async () => String(++count) }
    await show(counted)
    await wait()
    await focusWindow()
    await wait()
    expect(text()).toBe('2')
    await show({ ...counted, refetchOnWindowFocus: false, refetchOnReconnect: true })
    await focusWindow()
    await wait()
    expect(text()).toBe('2')
    await doAndWait(() => onlineStore.set(false))
    await doAndWait(() => onlineStore.set(true))
    await wait()
    expect(text()).toBe('3')
  })

  it('repeats a call that was lost when the server is back', async () => {
    const { calls, options } = setUp()
    await show(options)
    await doAndWait(() => onlineStore.set(false))
    await doAndWait(() => calls[0]?.fail(LOST))
    expect(text()).toBe('000 No connection')
    await doAndWait(() => onlineStore.set(true))
    await doAndWait(() => calls[1]?.answer('back'))
    expect(text()).toBe('back')
  })
})
