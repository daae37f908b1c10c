import type { Job, JobItem } from '../../../../shared/api/jobs.ts'
import type { FolderResource, Resource } from '../../../../shared/api/resources.ts'
import type { EmptyBody, PurgeBody, TrashPage, TrashResults } from '../../../../shared/api/trash.ts'
import { encodePath, type FilePath, ROOT } from '../../../../shared/path.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { finishJob, listJob } from '../../files/api/jobs.ts'

/** What the list shows. */
export interface TrashOptions {
  mine: boolean
  /** Only what was in this folder, or below it. */
  folder: FilePath
  /** Part of the name. */
  name: string
}

/** Prefix of the cache key of everything in the trash. */
const TRASH_KEY = 'trash'

/** `GET /api/trash` (http-api 20), as a query: the newest items. Fails with `ApiError`. */
export function trashQuery(options: TrashOptions) {
  return queryOptions({
    queryKey: [TRASH_KEY, 'list', options],
    queryFn: ({ signal }) => apiJson<TrashPage>(listCall(options), { signal }),
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  })
}

/** The items after one. @throws ApiError */
export function fetchOlder(options: TrashOptions, before: string): Promise<TrashPage> {
  return apiJson<TrashPage>(listCall(options, before))
}

function listCall({ mine, folder, name }: TrashOptions, before?: string): string {
  const query = new URLSearchParams({
    ...(mine && { mine: 'true' }),
    ...(folder !== ROOT && { folder }),
    ...(name !== '' && { name }),
    ...(before !== undefined && { before }),
  })
  return `/api/trash?${query}`
}

/** An item of the trash, or one inside it. */
export interface KeptPlace {
  id: string
  /** Within the item; `/` for the item itself. */
  path: FilePath
}

const encodePlace = ({ id, path }: KeptPlace) => `${encodeURIComponent(id)}${path === ROOT ? '' : encodePath(path)}`

/** `GET /api/trash/items/{id}/{path}` (http-api 20), as a query. Fails with `ApiError`. */
export function keptQuery(place: KeptPlace) {
  return queryOptions({
    queryKey: [TRASH_KEY, 'item', place],
    queryFn: ({ signal }) => apiJson<Resource>(`/api/trash/items/${encodePlace(place)}`, { signal }),
  })
}

export const isFolder = (resource: Resource): resource is FolderResource => resource.isDir && 'items' in resource

/** URL of a file's bytes, or of a folder as an archive, without the base URL. @param inline display, not save */
export const keptRaw = (place: KeptPlace, inline = false): string =>
  `/api/trash/raw/${encodePlace(place)}${inline ? '?inline=true' : ''}`

/** In-app address of an item, with a trailing slash for a folder. */
export const keptUrl = (place: KeptPlace, isDir: boolean): string => `/trash/${encodePlace(place)}${isDir ? '/' : ''}`

/** `POST /api/trash/purge` (http-api 20). @throws ApiError */
export function purge(body: PurgeBody): Promise<TrashResults> {
  const headers = { 'Content-Type': 'application/json' }
  return apiJson<TrashResults>('/api/trash/purge', { method: 'POST', headers, body: JSON.stringify(body) })
}

/**
 * `POST /api/trash/empty` (http-api 20): deletes what is in the trash now, as a job that the panel of jobs shows.
 * @returns the result of each item when it has ended
 * @throws ApiError
 */
export async function empty(body: EmptyBody): Promise<readonly JobItem[]> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await api('/api/trash/empty', { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status === 204) return []
  const job: Job = await response.json()
  listJob(job)
  return (await finishJob(job)).items
}

/** Invalidates every list of the trash; the one on the screen reloads at once. */
export async function reloadTrash(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [TRASH_KEY] })
}
