import type { PlayLink } from '../../../../shared/api/play-links.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryOptions } from '../../../lib/query.ts'

/** Whether players open a file. */
export const isPlayed = ({ type }: Pick<ResourceItem, 'type'>): boolean => type === 'video' || type === 'audio'

/** Addresses for players: `POST /api/play-links` (http-api 53). @throws ApiError */
export const createPlayLink = (path: string, signal?: AbortSignal): Promise<PlayLink> =>
  apiJson<PlayLink>('/api/play-links', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ path }),
    ...(signal && { signal }),
  })

/** The same, as a query: the addresses are made once for each file, and again when half of their time has passed. */
export const playLinkQuery = (path: string) =>
  queryOptions({
    queryKey: ['playLink', path],
    queryFn: ({ signal }) => createPlayLink(path, signal),
    staleTime: 6 * 3_600_000,
  })
