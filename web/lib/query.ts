import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const RETRIES = 2

/** The application's cache of server answers. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // Only a lost connection may come back by itself; a refusal stays one.
      retry: (count, error) =>
        count < RETRIES && error instanceof ApiError && (error.status === 0 || error.status >= 502),
    },
    mutations: { retry: false },
  },
})
