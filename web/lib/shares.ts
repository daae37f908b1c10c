import type { ShareLink } from '../../shared/api/shares.ts'
import { encodePath } from '../../shared/path.ts'
import { api, apiJson } from './api.ts'
import { queryClient, queryOptions } from './query.ts'
import { href } from './router.tsx'

/** Begins the cache key of every list of links. */
const SHARES_KEY = 'shares'

/** The address of a link as people pass it on: `/share/{hash}`, absolute. */
export function shareUrl({ hash }: Pick<ShareLink, 'hash'>): string {
  return location.origin + href(`/share/${encodeURIComponent(hash)}`)
}

/** `GET /api/share/{path}` (http-api 10.1), as a query: the links to one file or folder. Fails with `ApiError`. */
export function linksQuery(path: string) {
  return queryOptions({
    queryKey: [SHARES_KEY, 'of', path],
    queryFn: ({ signal }) => apiJson<ShareLink[]>(`/api/share${encodePath(path)}`, { signal }),
  })
}

/** `GET /api/shares` (http-api 10.1), as a query: the own links, or for administrators everybody's. */
export const allLinksQuery = queryOptions({
  queryKey: [SHARES_KEY, 'all'],
  queryFn: ({ signal }) => apiJson<ShareLink[]>('/api/shares', { signal }),
})

/** `DELETE /api/share/{hash}` (http-api 10.1). @throws ApiError */
export async function removeShare({ hash }: Pick<ShareLink, 'hash'>): Promise<void> {
  await api(`/api/share/${encodeURIComponent(hash)}`, { method: 'DELETE' })
}

/** Marks every list of links as out of date; those on the screen load again at once. */
export async function reloadShares(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [SHARES_KEY] })
}
