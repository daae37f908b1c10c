import type { User } from '../../../../shared/api/users.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryOptions, useQuery } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'

/** `GET /api/users/{id}` (http-api 11) of the caller, as a query. */
const ownScopeQuery = (id: number) =>
  queryOptions({
    queryKey: ['own-scope', id],
    queryFn: ({ signal }) => apiJson<User>(`/api/users/${id}`, { signal }).then(({ scope }) => scope),
  })

/** The caller's scope; `undefined` until it is known. */
export function useOwnScope(): string | undefined {
  const id = useSession().user?.id
  const { data } = useQuery({ ...ownScopeQuery(id ?? 0), enabled: id !== undefined })
  return data
}
