import type { ProviderAddress } from '../../../../shared/api/oidc.ts'
import type { AccountIdentity } from '../../../../shared/api/providers.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/query.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }

/** `GET /api/account/identities` (http-api 45): the caller's accounts at providers and directories. */
export const identitiesQuery = {
  queryKey: ['identities'],
  queryFn: ({ signal }: { signal: AbortSignal }) => apiJson<AccountIdentity[]>('/api/account/identities', { signal }),
}

/** The address of a provider to which the browser goes. @throws ApiError 400 without the right password */
export async function linkLocation(slug: string, password: string | undefined, redirect: string): Promise<string> {
  const { location } = await apiJson<ProviderAddress>(`/api/oidc/${slug}/link`, {
    method: 'POST',
    headers: JSON_BODY,
    body: JSON.stringify({ current_password: password, redirect }),
  })
  return location
}

/** @throws ApiError 400 without the right password, 403 for the only way into the account */
export async function disconnect(slug: string, password: string | undefined): Promise<void> {
  await api(`/api/account/identities/${slug}`, {
    method: 'DELETE',
    headers: JSON_BODY,
    body: JSON.stringify({ current_password: password }),
  })
  await queryClient.invalidateQueries({ queryKey: identitiesQuery.queryKey })
}
