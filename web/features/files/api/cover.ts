import type { FolderCover } from '../../../../shared/api/covers.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryOptions } from '../../../lib/query.ts'

/** `GET /api/covers/{folder}` (http-api 6), as a query: asked again once the folder has changed. Fails with `ApiError`. */
export function coverQuery({ path, modified }: Pick<ResourceItem, 'path' | 'modified'>) {
  return queryOptions({
    queryKey: ['cover', path, modified],
    queryFn: ({ signal }) => apiJson<FolderCover>(`/api/covers${encodePath(path)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
