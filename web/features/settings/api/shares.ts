import type { ShareLink } from '../../../../shared/api/shares.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryOptions } from '../../../lib/query.ts'
import { SHARES_KEY } from '../../../lib/shares.ts'

/** `GET /api/shares` (contract 10.1), as a query: the own links, or for administrators everybody's. */
export const sharesQuery = queryOptions({
  queryKey: [SHARES_KEY, 'all'],
  queryFn: ({ signal }) => apiJson<ShareLink[]>('/api/shares', { signal }),
})
