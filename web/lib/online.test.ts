// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from './api.ts'
import { followNetwork, onlineStore, reportNoResponse, reportResponse } from './online.ts'
import { queryClient } from './query.ts'

const fetchMock = vi.fn<typeof fetch>()
const gone = () => fetchMock.mockRejectedValue(new TypeError('refused'))
const back = () => fetchMock.mockResolvedValue(new Response())

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetchMock)
  followNetwork()
})

afterEach(() => {
  reportResponse()
  fetchMock.mockReset()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

it('a single failed call does not mean that the server is unreachable', async () => {
  back()
  reportNoResponse()
  await wait(0)
  expect(onlineStore.get()).toBe(true)
  expect(fetchMock).toHaveBeenCalledOnce()
})

it('an unreachable server is polled until it responds', async () => {
  gone()
  reportNoResponse()
  await wait(0)
  expect(onlineStore.get()).toBe(false)
  await wait(4000)
  expect(onlineStore.get()).toBe(false)
  back()
  await wait(4000)
  expect(onlineStore.get()).toBe(true)
})

it('a browser without a network does not mean that the server is unreachable', async () => {
  back()
  dispatchEvent(new Event('offline'))
  await wait(0)
  expect(onlineStore.get()).toBe(true)
  gone()
  dispatchEvent(new Event('offline'))
  await wait(0)
  expect(onlineStore.get()).toBe(false)
})

it('as long as the browser reports no network, the server is polled', async () => {
  const knows = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  back()
  dispatchEvent(new Event('offline'))
  await wait(0)
  expect(onlineStore.get()).toBe(true)
  gone()
  await wait(4000)
  expect(onlineStore.get()).toBe(false)
  knows.mockReturnValue(true)
  back()
  await wait(4000)
  expect(onlineStore.get()).toBe(true)
  await wait(0)
  fetchMock.mockClear()
  await wait(10_000)
  expect(fetchMock).not.toHaveBeenCalled()
  knows.mockRestore()
})

it('while the server is unreachable a query fails at once, and is repeated when it is back', async () => {
  gone()
  reportNoResponse()
  await wait(0)
  queryClient.mount()
  const queryFn = vi.fn().mockRejectedValueOnce(new ApiError(0, '000 No connection')).mockResolvedValue('there')
  const observer = new QueryObserver(queryClient, { queryKey: ['folder', '/a'], queryFn })
  observer.subscribe(() => undefined)
  await wait(0)
  expect(observer.getCurrentResult().error?.message).toContain('000')
  back()
  await wait(4000)
  expect(observer.getCurrentResult().data).toBe('there')
})
