import { useEffect } from 'react'
import type { SizesAnswer } from '../../../shared/api/sizes.ts'
import { encodePath, type FilePath } from '../../../shared/path.ts'
import { apiJson } from '../../lib/api.ts'
import { useQuery } from '../../lib/query.ts'

/** `GET /api/sizes/{folder}` (http-api 8), as options of a query. @param of `folders` names only these, and starts no index */
export const sizesQuery = (path: string, of: 'all' | 'folders') => ({
  queryKey: ['sizes', path, of],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    apiJson<SizesAnswer>(`/api/sizes${encodePath(path).replace(/\/$/, '')}/${of === 'all' ? '' : '?folders=true'}`, {
      signal,
    }),
})

/** Polls until the sizes are final. @param interval in milliseconds */
export function useSizes(path: FilePath, of: 'all' | 'folders', interval: number) {
  const query = useQuery(sizesQuery(path, of))
  const { data, dataUpdatedAt, refetch } = query
  const askedAt = data?.state === 'partial' ? dataUpdatedAt : undefined
  useEffect(() => {
    if (askedAt === undefined) return
    const timer = setTimeout(() => void refetch(), interval)
    return () => clearTimeout(timer)
  }, [askedAt, refetch, interval])
  return query
}
