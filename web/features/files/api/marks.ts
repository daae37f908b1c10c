import type { FolderMarks } from '../../../../shared/api/marks.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

/** Prefix of the cache key of the stars and tags of a folder's items. */
const MARKS_KEY = 'marks'

/** `GET /api/marks/{folder}` (http-api 23), as a query. Fails with `ApiError`. */
export function marksQuery(folder: string) {
  return queryOptions({
    queryKey: [MARKS_KEY, folder],
    queryFn: ({ signal }) => apiJson<FolderMarks>(`/api/marks${encodePath(folder)}`, { signal }),
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  })
}

/** Reloads them. */
export const reloadMarks = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [MARKS_KEY] })
