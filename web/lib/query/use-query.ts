import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { CachedQuery, QueryOptions, QueryState } from './cached-query.ts'
import { queryClient } from './client.ts'

/** Query options of a component. */
export interface UseQueryOptions<T, S = T> extends QueryOptions<T> {
  /** Whether to fetch automatically; default true. */
  enabled?: boolean
  /** Selects part of the response. Use a stable function. */
  select?: (data: T) => S
  /** Data to show until there is a response, from the last data shown. */
  placeholderData?: (previous: S | undefined) => S | undefined
}

export interface QueryResult<S> {
  data: S | undefined
  error: Error | null
  /** When `data` arrived, in milliseconds since the epoch. */
  dataUpdatedAt: number
  isError: boolean
  isFetching: boolean
  /** Neither data nor an error so far. */
  isPending: boolean
  /** Pending, and being fetched. */
  isLoading: boolean
  /** Being refetched. */
  isRefetching: boolean
}

/** Options with their types inferred. */
export function queryOptions<T>(options: QueryOptions<T>): QueryOptions<T> {
  return options
}

/** For `placeholderData`: the last data shown. */
export function keepPreviousData<S>(previous: S | undefined): S | undefined {
  return previous
}

/**
 * A response of the server; re-renders when it changes. Fetches when there is none or it is stale. `refetch` fetches
 * again, even during a call, and never rejects; `isPlaceholderData` marks `data` that is not the response.
 */
export function useQuery<T, S = T>(options: UseQueryOptions<T, S>) {
  const { enabled = true, select } = options
  const query = queryClient.query(options)
  const subscribe = useCallback((listener: () => void) => query.subscribe({ enabled, listener }), [query, enabled])
  const state = useSyncExternalStore(subscribe, () => query.state)
  useEffect(() => {
    query.options = options
  })
  useEffect(() => {
    if (enabled) fetchQuery(query)
  }, [query, enabled])
  const refetch = useCallback(async () => {
    await query.restart().catch(() => undefined)
  }, [query])
  const answer = useMemo(() => selected(state.data, select), [state.data, select])
  const placeholder = usePlaceholder(answer, options.placeholderData)
  const isPlaceholderData = answer === undefined && !state.error && placeholder !== undefined
  const data = isPlaceholderData ? placeholder : answer
  return { ...resultOf(state, data, enabled), isPlaceholderData, refetch }
}

/** Several queries at once, in their order. */
export function useQueries<T, S = T>(queries: readonly Omit<UseQueryOptions<T, S>, 'enabled' | 'placeholderData'>[]) {
  const followed = useSame(queries.map(options => queryClient.query(options)))
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = followed.map(query => query.subscribe({ enabled: true, listener }))
      return () => {
        for (const stop of stops) stop()
      }
    },
    [followed],
  )
  useSyncExternalStore(subscribe, () => followed.reduce((sum, query) => sum + query.version, 0))
  useEffect(() => followed.forEach(fetchQuery), [followed])
  return followed.map(({ state }, index): QueryResult<S> => {
    return resultOf(state, selected(state.data, queries[index]?.select), true)
  })
}

function fetchQuery<T>(query: CachedQuery<T>): void {
  if (query.isStale) query.fetch().catch(() => undefined)
}

function selected<T, S>(data: T | undefined, select: ((data: T) => S) | undefined): S | undefined {
  if (data === undefined || !select) return data as S | undefined
  return select(data)
}

/** Placeholder for a response, from the last data shown. */
function usePlaceholder<S>(answer: S | undefined, choose: UseQueryOptions<unknown, S>['placeholderData']) {
  const last = useRef(answer)
  useEffect(() => {
    if (answer !== undefined) last.current = answer
  }, [answer])
  return answer === undefined ? choose?.(last.current) : undefined
}

function resultOf<T, S>(state: QueryState<T>, data: S | undefined, enabled: boolean): QueryResult<S> {
  const { error, dataUpdatedAt } = state
  const isPending = data === undefined && error === null
  // In the very first rendering the call has not started yet.
  const isFetching = state.isFetching || (enabled && state.data === undefined && error === null)
  return {
    data,
    error,
    dataUpdatedAt,
    isError: error !== null,
    isFetching,
    isPending,
    isLoading: isPending && isFetching,
    isRefetching: !isPending && isFetching,
  }
}

/** The same array while its elements are the same. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const [kept, keep] = useState(list)
  if (kept.length === list.length && kept.every((thing, index) => thing === list[index])) return kept
  keep(list)
  return list
}
