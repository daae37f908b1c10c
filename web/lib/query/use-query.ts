import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { CachedQuery, QueryOptions, QueryState } from './cached-query.ts'
import { queryClient } from './client.ts'

/** A query as a component wants it. */
export interface UseQueryOptions<T, S = T> extends QueryOptions<T> {
  /** Whether it is asked for by itself; yes if left out. */
  enabled?: boolean
  /** What of the answer is wanted. Keep its identity. */
  select?: (data: T) => S
  /** What to show until there is an answer, from what was shown last. */
  placeholderData?: (previous: S | undefined) => S | undefined
}

export interface QueryResult<S> {
  data: S | undefined
  error: Error | null
  /** When `data` came, in milliseconds since the epoch. */
  dataUpdatedAt: number
  isError: boolean
  isFetching: boolean
  /** Neither an answer nor an error so far. */
  isPending: boolean
  /** Pending, and on its way. */
  isLoading: boolean
  /** On its way again. */
  isRefetching: boolean
}

/** Options with their types inferred. */
export function queryOptions<T>(options: QueryOptions<T>): QueryOptions<T> {
  return options
}

/** For `placeholderData`: what was shown last. */
export function keepPreviousData<S>(previous: S | undefined): S | undefined {
  return previous
}

/**
 * An answer of the server; renders again when it changes. Asks when there is none yet or it is out of date. `refetch`
 * asks again, also in the middle of a call, and never rejects; `isPlaceholderData` tells that `data` is not the answer.
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
    if (enabled) askFor(query)
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
  useEffect(() => followed.forEach(askFor), [followed])
  return followed.map(({ state }, index): QueryResult<S> => {
    return resultOf(state, selected(state.data, queries[index]?.select), true)
  })
}

function askFor<T>(query: CachedQuery<T>): void {
  if (query.isStale) query.fetch().catch(() => undefined)
}

function selected<T, S>(data: T | undefined, select: ((data: T) => S) | undefined): S | undefined {
  if (data === undefined || !select) return data as S | undefined
  return select(data)
}

/** What stands in for an answer, from the last one that was there. */
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
  // In the very first rendering the call is only about to begin.
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

/** The same array as long as it holds the same things. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const [kept, keep] = useState(list)
  if (kept.length === list.length && kept.every((thing, index) => thing === list[index])) return kept
  keep(list)
  return list
}
