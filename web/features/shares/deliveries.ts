import type { DeliveriesPage, LinkVisits } from '../../../shared/api/shares.ts'
import { apiJson } from '../../lib/api.ts'
import { queryOptions } from '../../lib/query.ts'

/** `GET /api/links/{hash}/deliveries` (http-api 10.3), as a query. @param before `next` of the previous page */
export function deliveriesQuery(hash: string, before: string | undefined) {
  const query = before === undefined ? '' : `?before=${before}`
  return queryOptions({
    queryKey: ['shares', 'deliveries', hash, before ?? ''],
    staleTime: 0,
    queryFn: ({ signal }) =>
      apiJson<DeliveriesPage>(`/api/links/${encodeURIComponent(hash)}/deliveries${query}`, { signal }),
  })
}

/** `GET /api/links/{hash}/visits` (http-api 10.1), as a query. */
export const visitsQuery = (hash: string) =>
  queryOptions({
    queryKey: ['shares', 'visits', hash],
    staleTime: 0,
    queryFn: ({ signal }) => apiJson<LinkVisits>(`/api/links/${encodeURIComponent(hash)}/visits`, { signal }),
  })
