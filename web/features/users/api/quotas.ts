import type { QuotasAnswer } from '../../../../shared/api/quotas.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = 'quotas'
/** Milliseconds between two requests while a home is being counted. */
const WHILE_COUNTING = 2000

/** Whose quota it is. */
export interface QuotaOwner {
  kind: 'users' | 'groups'
  id: number | string
}

/** `GET /api/quotas` (http-api 37), as a query; for administrators. */
export const quotasQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => apiJson<QuotasAnswer>('/api/quotas', { signal }),
  refetchInterval: ({ state: { data } }) => (data && isCounting(data) ? WHILE_COUNTING : false),
})

const isCounting = ({ users, roots, mounts }: QuotasAnswer) =>
  [...users, ...roots, ...mounts].some(({ exact }) => !exact)

/** The limits that are set for an owner; each is null for none, -1 for no limit. */
export interface OwnLimits {
  bytes: number | null
  /** Files and folders. */
  items: number | null
}

/** `PUT /api/quotas/…`. @throws ApiError */
export async function setQuota({ kind, id }: QuotaOwner, limits: OwnLimits): Promise<void> {
  await api(`/api/quotas/${kind}/${id}`, { method: 'PUT', body: JSON.stringify(limits) })
  await reloadQuotas()
}

/** Loads again what is shown of quotas. */
export async function reloadQuotas(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [KEY] })
  await queryClient.invalidateQueries({ queryKey: ['usage'] })
}
