import type { User } from '../../../../shared/api/users.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = 'users'

/** `GET /api/users` (http-api 11), as a query; for administrators. */
export const usersQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => apiJson<User[]>('/api/users', { signal }),
})

/** `GET /api/users/{id}` (http-api 11), as a query. Not refetched while a form is open. */
export function userQuery(id: number) {
  return queryOptions({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => apiJson<User>(`/api/users/${id}`, { signal }),
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
}

/** Invalidates the list of users. */
export async function reloadUsers(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [KEY], exact: true })
}
