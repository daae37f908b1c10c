import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { loadChunk } from '../../../lib/chunk.ts'
import { queryOptions } from '../../../lib/query.ts'

/** The tags of a file, as a query; what cannot be read has none. */
export const tagsQuery = (file: ResourceItem) =>
  queryOptions({
    queryKey: ['tags', file.path, file.modified],
    queryFn: async ({ signal }) => {
      const { fetchTags } = await loadChunk(() => import('./read-tags.ts'))
      return fetchTags(file, signal)
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
