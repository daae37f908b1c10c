import type { FolderResource, Resource } from '../../../../shared/api/resources.ts'
import type { PurgeBody, TrashPage, TrashResults } from '../../../../shared/api/trash.ts'
import { encodePath, type FilePath, ROOT } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

/** What the list shows. */
export interface TrashWish {
  mine: boolean
  /** Only what was in this folder, or below it. */
  folder: FilePath
  /** Part of the name. */
  name: string
}

/** Prefix of the cache key of everything in the trash. */
const TRASH_KEY = 'trash'

/** `GET /api/trash` (http-api 20), as a query: the newest items. Fails with `ApiError`. */
export function trashQuery(wish: TrashWish) {
  return queryOptions({
    queryKey: [TRASH_KEY, 'list', wish],
    queryFn: ({ signal }) => apiJson<TrashPage>(listCall(wish), { signal }),
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  })
}

/** The items after one. @throws ApiError */
export function fetchOlder(wish: TrashWish, before: string): Promise<TrashPage> {
  return apiJson<TrashPage>(listCall(wish, before))
}

function listCall({ mine, folder, name }: TrashWish, before?: string): string {
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

/** Invalidates every list of the trash; the one on the screen reloads at once. */
export async function reloadTrash(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [TRASH_KEY] })
}
