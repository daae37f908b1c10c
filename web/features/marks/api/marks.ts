import type { RecentList, StarList } from '../../../../shared/api/marks.ts'
import { encodePath } from '../../../../shared/path.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { reloadMarks } from '../../files/api/marks.ts'

/** Prefix of the cache key of the list of stars. */
const STARS_KEY = 'stars'
/** Prefix of the cache key of recent items. */
const RECENT_KEY = 'recent'

/** `GET /api/stars` (http-api 23), as a query. Fails with `ApiError`. */
export const starsQuery = queryOptions({
  queryKey: [STARS_KEY, 'list'],
  queryFn: ({ signal }) => apiJson<StarList>('/api/stars', { signal }),
  staleTime: 0,
  refetchOnReconnect: true,
  refetchOnWindowFocus: true,
})

/** `PUT` or `DELETE /api/stars/{path}` (http-api 23). @throws ApiError */
export async function putStar(path: string, isOn: boolean): Promise<void> {
  await api(`/api/stars${encodePath(path)}`, { method: isOn ? 'PUT' : 'DELETE' })
}

/** Removes a star by its id, also that of an item in the trash. @throws ApiError */
export async function removeStar({ id, path }: { id: string; path: string }): Promise<void> {
  await api(`/api/stars${encodePath(path)}?id=${encodeURIComponent(id)}`, { method: 'DELETE' })
}

/** `POST /api/stars/order` (http-api 23). @throws ApiError */
export async function orderStars(ids: readonly string[]): Promise<void> {
  await api('/api/stars/order', { method: 'POST', body: JSON.stringify({ ids }) })
}

/** Reloads what shows stars. */
export async function reloadStars(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: [STARS_KEY] }), reloadMarks()])
}

/** `GET /api/recent` (http-api 23), as a query. Fails with `ApiError`. */
export const recentQuery = queryOptions({
  queryKey: [RECENT_KEY],
  queryFn: ({ signal }) => apiJson<RecentList>('/api/recent', { signal }),
  staleTime: 0,
  refetchOnReconnect: true,
  refetchOnWindowFocus: true,
})

/** `PUT /api/recent/{path}` (http-api 23). @throws ApiError */
export async function noteOpened(path: string): Promise<void> {
  await api(`/api/recent${encodePath(path)}`, { method: 'PUT' })
}
