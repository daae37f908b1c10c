import type { Mount, MountChange, MountRequest, RootAnswer, RootChange } from '../../../../shared/api/mounts.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { type OwnLimits, reloadQuotas } from './quotas.ts'

const KEY = 'mounts'

/** `GET /api/roots` (http-api 51), as a query; for administrators. */
export const rootsQuery = queryOptions({
  queryKey: [KEY, 'roots'],
  queryFn: ({ signal }) => apiJson<RootAnswer[]>('/api/roots', { signal }),
})

/** `GET /api/mounts` (http-api 51), as a query; for administrators. */
export const mountsQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => apiJson<Mount[]>('/api/mounts', { signal }),
})

/** `POST /api/mounts`. @throws ApiError */
export async function addMount(request: MountRequest): Promise<void> {
  await api('/api/mounts', { method: 'POST', body: JSON.stringify(request) })
  await reload()
}

/** `PUT /api/mounts/{id}`. @throws ApiError */
export async function changeMount(id: string, change: MountChange): Promise<void> {
  await api(`/api/mounts/${id}`, { method: 'PUT', body: JSON.stringify(change) })
  await reload()
}

/** The quota of a mount; the rest of it stays. @throws ApiError */
export async function setMountQuota({ id, name, readOnly }: Mount, { bytes, items }: OwnLimits): Promise<void> {
  await changeMount(id, { name, readOnly, quotaBytes: bytes, quotaItems: items })
  await reloadQuotas()
}

/** `PATCH /api/roots/{name}`: its quota. @throws ApiError */
export async function setRootQuota(name: string, { bytes, items }: OwnLimits): Promise<void> {
  const change: RootChange = { quotaBytes: bytes, quotaItems: items }
  await api(`/api/roots/${encodeURIComponent(name)}`, { method: 'PATCH', body: JSON.stringify(change) })
  await reload()
  await reloadQuotas()
}

/** `PATCH /api/roots/{name}`: what the interface calls it, `''` for its name in the configuration. @throws ApiError */
export async function setRootLabel(name: string, label: string): Promise<void> {
  const change: RootChange = { label }
  await api(`/api/roots/${encodeURIComponent(name)}`, { method: 'PATCH', body: JSON.stringify(change) })
  await reload()
}

/** `PATCH /api/roots/{name}`: takes the disk that is in its place now for it. @throws ApiError */
export async function acceptRoot(name: string): Promise<void> {
  const change: RootChange = { accept: true }
  await api(`/api/roots/${encodeURIComponent(name)}`, { method: 'PATCH', body: JSON.stringify(change) })
  await reload()
}

/** `DELETE /api/mounts/{id}`. @throws ApiError */
export async function removeMount(id: string): Promise<void> {
  await api(`/api/mounts/${id}`, { method: 'DELETE' })
  await reload()
}

type Access = Mount['access'][number]
type Subject = Pick<Access['to'], 'kind' | 'id'>

/** How a mount is given. */
export type MountTerms = Pick<Access, 'rights' | 'expires'>

const accessAddress = (mount: string, { kind, id }: Subject) => `/api/mounts/${mount}/access/${kind}/${id}`

/** Gives a mount, or changes the rights with which it is given and when it ends. @throws ApiError */
export async function giveMount(mount: string, to: Subject, { rights, expires }: MountTerms): Promise<void> {
  await api(accessAddress(mount, to), { method: 'PUT', body: JSON.stringify({ rights, expires }) })
  await reload()
}

/** @throws ApiError */
export async function takeMount(mount: string, to: Subject): Promise<void> {
  await api(accessAddress(mount, to), { method: 'DELETE' })
  await reload()
}

const reload = () => queryClient.invalidateQueries({ queryKey: [KEY] })
