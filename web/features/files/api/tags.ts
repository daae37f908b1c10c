import {
  MAX_TAGGED_PATHS,
  type NewTag,
  type Tag,
  type TagChange,
  type TaggedItems,
  type TaggedResult,
  type TaggedResults,
  type TagList,
} from '../../../../shared/api/tags.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

/** Prefix of the cache key of tags, and of their items. */
const TAGS_KEY = 'tags'

/** `GET /api/tags` (http-api 23.1), as a query. Fails with `ApiError`. */
export const tagsQuery = queryOptions({
  queryKey: [TAGS_KEY, 'list'],
  queryFn: ({ signal }) => apiJson<TagList>('/api/tags', { signal }),
  refetchOnReconnect: true,
  refetchOnWindowFocus: true,
})

/** The first page of `GET /api/tags/{id}/items` (http-api 23.1), as a query. Fails with `ApiError`. */
export function taggedQuery(id: string) {
  return queryOptions({
    queryKey: [TAGS_KEY, 'items', id],
    queryFn: ({ signal }) => apiJson<TaggedItems>(`/api/tags/${id}/items`, { signal }),
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  })
}

/** A later page. @throws ApiError */
export const fetchTagged = (id: string, before: string): Promise<TaggedItems> =>
  apiJson<TaggedItems>(`/api/tags/${id}/items?${new URLSearchParams({ before })}`)

/** The tags of items, as a query. Fails with `ApiError`. */
export function tagsOfQuery(paths: readonly string[]) {
  return queryOptions({
    queryKey: [TAGS_KEY, 'of', paths],
    // Without tags to add or remove, the call changes nothing.
    queryFn: () => setTags(paths, {}),
  })
}

/** `PUT /api/tagged` (http-api 23.1), in as many calls as needed. @throws ApiError */
export async function setTags(
  paths: readonly string[],
  change: { add?: string[]; remove?: string[] },
): Promise<TaggedResult[]> {
  const results: TaggedResult[] = []
  for (let start = 0; start < paths.length; start += MAX_TAGGED_PATHS) {
    const body = JSON.stringify({ paths: paths.slice(start, start + MAX_TAGGED_PATHS), ...change })
    results.push(...(await apiJson<TaggedResults>('/api/tagged', { method: 'PUT', body })).results)
  }
  return results
}

/** `POST /api/tags` (http-api 23.1). @throws ApiError */
export const createTag = (tag: NewTag): Promise<Tag> =>
  apiJson<Tag>('/api/tags', { method: 'POST', body: JSON.stringify(tag) })

/** `PATCH /api/tags/{id}` (http-api 23.1). @throws ApiError */
export const changeTag = (id: string, change: TagChange): Promise<Tag> =>
  apiJson<Tag>(`/api/tags/${id}`, { method: 'PATCH', body: JSON.stringify(change) })

/** `DELETE /api/tags/{id}` (http-api 23.1). @throws ApiError */
export async function deleteTag(id: string): Promise<void> {
  await api(`/api/tags/${id}`, { method: 'DELETE' })
}

/** Reloads tags, and their items. */
export const reloadTags = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [TAGS_KEY] })
