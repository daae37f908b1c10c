import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  notifyManager,
  onlineManager,
  QueryClient,
  type QueryKey,
  type UseQueryOptions,
  useQuery as useReactQuery,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiError } from './api.ts'
import { onlineStore } from './online.ts'

export { hashKey, keepPreviousData, queryOptions } from '@tanstack/react-query'

/** Milliseconds in which a response is fresh. */
const STALE_AFTER = 5_000
const RETRIES = 2

class Client extends QueryClient {
  /**
   * Invalidates responses; observed ones are refetched. A first load under way may be older than the change, so it is
   * repeated. Resolves when they have settled.
   */
  override async invalidateQueries<K extends QueryKey>(
    filter?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ) {
    const loading = this.getQueryCache().findAll({ ...filter, type: 'active', fetchStatus: 'fetching' })
    const first = loading.filter(({ state }) => state.data === undefined)
    await super.invalidateQueries(filter, options)
    await Promise.allSettled(first.map(query => query.fetch()))
  }
}

/** The application's cache of server responses. */
export const queryClient = new Client({
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER,
      // Calls fail on their own without a connection, and `onlineStore` knows better than the browser.
      networkMode: 'always',
      // Only a lost connection is worth a retry; a refusal is final.
      retry: (failures, error) =>
        failures < RETRIES &&
        onlineStore.get() &&
        (isLost(error) || (error instanceof ApiError && error.status >= 502)),
      refetchOnReconnect: ({ state }) => isLost(state.error),
    },
  },
})

function isLost(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 0
}

// The outcome of an operation must be on the screen when the operation reports its end.
notifyManager.setScheduler(callback => callback())
onlineManager.setEventListener(setOnline => onlineStore.subscribe(() => setOnline(onlineStore.get())))

/**
 * A response of the server, as in React Query. `refetch` aborts a call under way and never rejects: a call without a
 * response for long may never get one.
 */
export function useQuery<T, S = T, K extends QueryKey = QueryKey>(options: UseQueryOptions<T, Error, S, K>) {
  const { data, error, dataUpdatedAt, isFetching, isPending, isLoading, isError, isPlaceholderData, refetch } =
    useReactQuery(options, queryClient)
  const hash = JSON.stringify(options.queryKey)
  const restart = useCallback(async () => {
    void queryClient.cancelQueries({ queryKey: JSON.parse(hash), exact: true }, { silent: true })
    await refetch()
  }, [hash, refetch])
  return {
    data,
    error,
    dataUpdatedAt,
    isFetching,
    isPending,
    isLoading,
    isError,
    isPlaceholderData,
    isRefetching: isFetching && !isPending,
    refetch: restart,
  }
}
