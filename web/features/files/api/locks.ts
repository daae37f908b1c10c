import type { LockList } from '../../../../shared/api/locks.ts'
import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { api, apiJson, unlessMissing } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { createStore } from '../../../lib/store.ts'

/** Prefix of the cache key of locks, and the event that announces others (http-api 28). */
const LOCK_KEY = 'lock'

/** The folder whose changes arrive. Locks loaded earlier would have to be loaded again: nothing announces the time before. */
export const followedFolderStore = createStore<FilePath | undefined>(undefined)

/** `GET /api/locks/{path}` (http-api 28), as a query. Fails with `ApiError`. */
export function locksQuery(path: string) {
  return queryOptions({
    queryKey: [LOCK_KEY, path],
    queryFn: ({ signal }) => apiJson<LockList>(`/api/locks${encodePath(path)}`, { signal }),
    staleTime: 0,
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  })
}

/** Releases a lock; one that has ended is no error. @throws ApiError */
export async function releaseLock(path: string, id: string): Promise<void> {
  await unlessMissing(api(`/api/locks${encodePath(path)}?${new URLSearchParams({ id })}`, { method: 'DELETE' }))
  await queryClient.invalidateQueries({ queryKey: [LOCK_KEY] })
}
