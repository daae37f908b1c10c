import type { FileResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { queryOptions } from '../../../lib/query.ts'
import { fetchResource } from './resource.ts'

/** The dimensions of an image as stored (http-api 15.1); `null` where the server does not know. */
export const pixelsQuery = ({ path, modified }: Pick<ResourceItem, 'path' | 'modified'>) =>
  queryOptions({
    queryKey: ['pixels', path, modified],
    queryFn: async ({ signal }) => {
      const file = (await fetchResource(path, false, signal)) as FileResource
      return file.resolution ?? null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
