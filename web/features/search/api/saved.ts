import type { NewSearch, SavedSearch, SavedSearchList } from '../../../../shared/api/saved-searches.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

/** `GET /api/searches` (http-api 9.1), as a query. Fails with `ApiError`. */
export const savedQuery = queryOptions({
  queryKey: ['searches'],
  queryFn: ({ signal }) => apiJson<SavedSearchList>('/api/searches', { signal }),
  refetchOnReconnect: true,
  refetchOnWindowFocus: true,
})

const reload = () => queryClient.invalidateQueries({ queryKey: savedQuery.queryKey })

/** `POST /api/searches` (http-api 9.1). @throws ApiError */
export async function saveSearch(search: NewSearch): Promise<void> {
  await api('/api/searches', { method: 'POST', body: JSON.stringify(search) })
  await reload()
}

/** `PATCH /api/searches/{id}` (http-api 9.1). @throws ApiError */
export async function renameSearch(id: string, name: string): Promise<void> {
  await api(`/api/searches/${id}`, { method: 'PATCH', body: JSON.stringify({ name }) })
  await reload()
}

/** `DELETE /api/searches/{id}` (http-api 9.1). @throws ApiError */
export async function removeSearch({ id }: SavedSearch): Promise<void> {
  await api(`/api/searches/${id}`, { method: 'DELETE' })
  await reload()
}
