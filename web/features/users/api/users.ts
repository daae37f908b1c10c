import type { UserSeen } from '../../../../shared/api/auth.ts'
import type { Handover, HandoverRequest } from '../../../../shared/api/handovers.ts'
import type { DisabledUser, User } from '../../../../shared/api/users.ts'
import { api, apiJson, renew } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { sessionStore } from '../../../lib/session.ts'

const KEY = 'users'

/** `GET /api/users` (http-api 11), as a query; for administrators. */
export const usersQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => apiJson<User[]>('/api/users', { signal }),
})

/** When users were last active, by id: `GET /api/users/seen` (http-api 48), as a query. */
export const seenQuery = queryOptions({
  queryKey: [KEY, 'seen'],
  queryFn: async ({ signal }) => {
    const users = await apiJson<UserSeen[]>('/api/users/seen', { signal })
    return new Map(users.map(({ id, seen }) => [id, seen]))
  },
})

/** The accounts that are disabled: `GET /api/users/disabled` (http-api 49), as a query. */
export const disabledQuery = queryOptions({
  queryKey: [KEY, 'disabled'],
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const users = await apiJson<DisabledUser[]>('/api/users/disabled', { signal })
    return new Map(users.map(({ id, by }) => [id, by]))
  },
})

/** The users without a home: `GET /api/users/homeless` (http-api 50), as a query. */
export const homelessQuery = queryOptions({
  queryKey: [KEY, 'homeless'],
  queryFn: async ({ signal }): Promise<ReadonlySet<number>> =>
    new Set(await apiJson<number[]>('/api/users/homeless', { signal })),
})

/** `PUT /api/users/{id}/home` (http-api 50). @throws ApiError */
export async function setHome(id: number, hasHome: boolean): Promise<void> {
  await api(`/api/users/${id}/home`, { method: 'PUT', body: JSON.stringify({ home: hasHome ? 'scope' : 'none' }) })
  await queryClient.invalidateQueries({ queryKey: homelessQuery.queryKey })
}

/** `PUT /api/users/{id}/disabled` (http-api 49). @throws ApiError */
export async function disableUser(id: number, disabled: boolean, currentPassword: string | undefined): Promise<void> {
  const body = JSON.stringify({ disabled, current_password: currentPassword })
  await api(`/api/users/${id}/disabled`, { method: 'PUT', body })
  await queryClient.invalidateQueries({ queryKey: disabledQuery.queryKey })
}

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

/**
 * `POST /api/users` (http-api 11).
 * @returns the new user's address, without the base URL
 * @throws ApiError
 */
export async function createUser(user: User, currentPassword: string | undefined): Promise<string> {
  const body = JSON.stringify({ what: 'user', which: [], data: user, current_password: currentPassword })
  const response = await api('/api/users', { method: 'POST', body })
  return response.headers.get('Location') ?? '/settings/users'
}

/**
 * `POST /api/users/{id}/handover` (http-api 43): links and shares go to another user, with `move` the files as well.
 * @throws ApiError
 */
export function handOver(id: number, request: HandoverRequest): Promise<Handover> {
  return apiJson<Handover>(`/api/users/${id}/handover`, { method: 'POST', body: JSON.stringify(request) })
}

/** `DELETE /api/users/{id}` (http-api 11). @throws ApiError */
export async function removeUser(id: number, currentPassword: string | undefined): Promise<void> {
  const body = JSON.stringify({ current_password: currentPassword })
  await api(`/api/users/${id}`, { method: 'DELETE', body })
}

/**
 * `PUT /api/users/{id}` with the fields that differ (http-api 11): concurrent changes to others stay. A change of the
 * current user renews the session at once.
 * @throws ApiError
 */
export async function updateUser(saved: User, user: User, currentPassword: string | undefined): Promise<void> {
  const fields = Object.keys(user) as (keyof User)[]
  const which = fields.filter(field => JSON.stringify(user[field]) !== JSON.stringify(saved[field]))
  const body = JSON.stringify({ what: 'user', which, data: user, current_password: currentPassword })
  await api(`/api/users/${user.id}`, { method: 'PUT', body })
  if (user.id === sessionStore.get().user?.id) await renew().catch(() => undefined)
}
