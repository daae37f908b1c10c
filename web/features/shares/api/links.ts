import type { ShareLink } from '../../../../shared/api/shares.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryOptions } from '../../../lib/query.ts'
import { SHARES_KEY } from '../../../lib/shares.ts'

/** `GET /api/share/{path}` (contract 10.1), as a query: the links to one file or folder. Fails with `ApiError`. */
export function linksQuery(path: string) {
  return queryOptions({
    queryKey: [SHARES_KEY, 'of', path],
    queryFn: ({ signal }) => apiJson<ShareLink[]>(`/api/share${encodePath(path)}`, { signal }),
  })
}
