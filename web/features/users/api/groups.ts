import type { Group, GroupMembers, GroupRequest, UserAccess } from '../../../../shared/api/groups.ts'
import { api, apiJson, apiRead } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = 'groups'

/** Groups, or one, with the version for `If-Match`. */
export interface Versioned<T> {
  value: T
  etag: string
}

/** Of a new group, or for no particular version. */
export const ANY_VERSION = '*'

const read = <T>(path: string, signal: AbortSignal) =>
  apiRead<Versioned<T>>(path, { signal }, async response => ({
    value: await response.json(),
    etag: response.headers.get('ETag') ?? ANY_VERSION,
  }))

/** `GET /api/groups` (http-api 29), as a query; for administrators. */
export const groupsQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => read<Group[]>('/api/groups', signal),
})

/** `GET /api/groups/{id}` (http-api 29), as a query. Not refetched while a form is open. */
export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => read<Group>(`/api/groups/${id}`, signal),
    refetchOnWindowFocus: false,
    gcTime: 0,
  })

/** The first members of a group, or all after one. */
export const membersQuery = (id: string, after: number) =>
  queryOptions({
    queryKey: [KEY, id, 'members', after],
    queryFn: ({ signal }) => apiJson<GroupMembers>(`/api/groups/${id}/members?after=${after}`, { signal }),
  })

/** `GET /api/users/{id}/access` (http-api 29), as a query. */
export const accessQuery = (userId: number) =>
  queryOptions({
    queryKey: [KEY, 'access', userId],
    queryFn: ({ signal }) => apiJson<UserAccess>(`/api/users/${userId}/access`, { signal }),
  })

/** Creates a group, or replaces it. @throws ApiError */
export async function saveGroup(id: string | undefined, fields: GroupRequest, etag: string): Promise<Versioned<Group>> {
  const path = id === undefined ? '/api/groups' : `/api/groups/${id}`
  const response = await api(path, {
    method: id === undefined ? 'POST' : 'PUT',
    headers: { 'If-Match': etag },
    body: JSON.stringify(fields),
  })
  const value: Group = await response.json()
  return { value, etag: response.headers.get('ETag') ?? ANY_VERSION }
}

/** `DELETE /api/groups/{id}`. @throws ApiError */
export async function removeGroup(id: string): Promise<void> {
  await api(`/api/groups/${id}`, { method: 'DELETE' })
  await reloadGroups()
}

/** `PUT /api/groups/order`. @throws ApiError */
export async function orderGroups(ids: readonly string[], etag: string): Promise<void> {
  await api('/api/groups/order', { method: 'PUT', headers: { 'If-Match': etag }, body: JSON.stringify({ ids }) })
}

/** Puts a user into a group by hand. @throws ApiError */
export async function addMember(id: string, userId: number, currentPassword: string | undefined): Promise<void> {
  const body = JSON.stringify({ current_password: currentPassword })
  await api(`/api/groups/${id}/members/${userId}`, { method: 'PUT', body })
  await reloadGroups()
}

/** Takes a user out of a group. @throws ApiError */
export async function removeMember(id: string, userId: number): Promise<void> {
  await api(`/api/groups/${id}/members/${userId}`, { method: 'DELETE' })
  await reloadGroups()
}

export async function reloadGroups(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [KEY] })
}
