import type { ComparisonSummary, ProviderStatus } from '../../../../shared/api/providers.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = ['diagnostics', 'providers']

/** `GET /api/providers`, as a query. */
export const providersQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => apiJson<ProviderStatus[]>('/api/providers', { signal }),
})

/** Compares the accounts of a directory with it (http-api 45). @throws ApiError 503 when it does not answer */
export async function compareAccounts(slug: string): Promise<ComparisonSummary> {
  try {
    return await apiJson<ComparisonSummary>(`/api/directories/${slug}/sync`, { method: 'POST' })
  } finally {
    await queryClient.invalidateQueries({ queryKey: KEY, exact: true })
  }
}
