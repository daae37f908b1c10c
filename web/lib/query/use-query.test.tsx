// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { onlineStore } from '../online.ts'
import { queryClient } from './client.ts'
import { keepPreviousData, type UseQueryOptions, useQueries, useQuery } from './use-query.ts'

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  root = createRoot(document.body)
})
afterEach(() => {
  act(() => root.unmount())
  queryClient.clear()
})

const answer = (key: string, more: Partial<UseQueryOptions<string>> = {}): UseQueryOptions<string> => ({
  queryKey: [key],
  queryFn: () => Promise.resolve(`answer ${key}`),
  ...more,
})

function Shown(options: UseQueryOptions<string>) {
  const { data, error, isPending, isFetching, isPlaceholderData } = useQuery(options)
  const marks = [isPending && 'pending', isFetching && 'fetching', isPlaceholderData && 'placeholder'].filter(Boolean)
  return `${data ?? error?.message ?? 'nothing'} ${marks.join(' ')}`.trim()
}

function Lengths({ keys }: { keys: string[] }) {
  const results = useQueries(keys.map(key => ({ ...answer(key), select: (data: string) => data.length })))
  return results.map(({ data }) => data ?? '–').join()
}

const show = (options: UseQueryOptions<string>) => act(async () => root.render(<Shown {...options} />))
const text = () => document.body.textContent

it('is pending from the first rendering on, then shows the response', async () => {
  act(() => root.render(<Shown {...answer('a')} />))
  expect(text()).toBe('nothing pending fetching')
  await act(async () => undefined)
  expect(text()).toBe('answer a')
})

it('fetches only once enabled', async () => {
  await show(answer('a', { enabled: false }))
  expect(text()).toBe('nothing pending')
  await show(answer('a'))
  expect(text()).toBe('answer a')
})

it('shows the placeholder data until the next response arrives', async () => {
  await show(answer('a', { placeholderData: keepPreviousData }))
  await show(answer('b', { placeholderData: keepPreviousData, queryFn: () => new Promise(() => undefined) }))
  expect(text()).toBe('answer a fetching placeholder')
})

it('reports the error of a failed call', async () => {
  await show(answer('a', { queryFn: () => Promise.reject(new Error('refused')) }))
  expect(text()).toBe('refused')
})

it('refetches a stale response on window focus', async () => {
  let count = 0
  const counted = { staleTime: 0, queryFn: async () => String(++count) }
  queryClient.followWindow()
  await show(answer('a', counted))
  await act(async () => document.dispatchEvent(new Event('visibilitychange')))
  expect(text()).toBe('2')
  await show(answer('a', { ...counted, refetchOnWindowFocus: false, refetchOnReconnect: true }))
  await act(async () => document.dispatchEvent(new Event('visibilitychange')))
  expect(text()).toBe('2')
  await act(async () => onlineStore.set(false))
  await act(async () => onlineStore.set(true))
  expect(text()).toBe('3')
})

it('observes several queries at once, also when others join', async () => {
  await act(async () => root.render(<Lengths keys={['a']} />))
  await act(async () => root.render(<Lengths keys={['a', 'bcd']} />))
  expect(text()).toBe('8,10')
})
