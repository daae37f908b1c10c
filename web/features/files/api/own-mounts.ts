import type { OwnMount } from '../../../../shared/api/mounts.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = ['places', 'mounts']

/** `GET /api/mounts/own` (http-api 51), as a query. Fails with `ApiError`. */
export const ownMountsQuery = queryOptions({
  queryKey: KEY,
  staleTime: 0,
  refetchOnReconnect: true,
  refetchOnWindowFocus: true,
  queryFn: ({ signal }) => apiJson<OwnMount[]>('/api/mounts/own', { signal }),
})

/** Reloads the folders of other roots that the user has. */
export const reloadOwnMounts = () => queryClient.invalidateQueries({ queryKey: KEY })
