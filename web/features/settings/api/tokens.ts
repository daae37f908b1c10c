import type { NewToken, TokenInfo, TokenRequest } from '../../../../shared/api/tokens.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = 'tokens'

/** The API tokens of a user, or the caller's own without an id, as a query: `GET /api/tokens` (http-api 25). */
export const tokensQuery = (userId?: number) =>
  queryOptions({
    queryKey: [KEY, userId ?? 'own'],
    queryFn: ({ signal }) => apiJson<TokenInfo[]>(placeOf(userId), { signal }),
  })

/** `POST /api/tokens`: the only response with the secret. @throws ApiError */
export async function createToken(request: TokenRequest): Promise<NewToken> {
  const made = await apiJson<NewToken>('/api/tokens', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  })
  await reloadTokens()
  return made
}

/** Ends a token of a user, or of the caller. @throws ApiError */
export async function endToken(id: string, userId?: number): Promise<void> {
  await api(`${placeOf(userId)}/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

export async function reloadTokens(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [KEY] })
}

const placeOf = (userId: number | undefined) => (userId === undefined ? '/api/tokens' : `/api/users/${userId}/tokens`)
