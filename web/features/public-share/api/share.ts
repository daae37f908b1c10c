import type { SharedResource } from '../../../../shared/api/shares.ts'
import { ApiError, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { keepTicket, ticketOf } from '../ticket.ts'
import { publicPath } from './addresses.ts'

const keyOf = (hash: string, path: string) => ['public', hash, path] as const

/**
 * What a link shows at a path below it (http-api 10.2), as a query. A ticket that is no longer good is forgotten: the
 * error is a 401 then, and the password is asked for.
 */
export function sharedQuery(hash: string, path: string) {
  return queryOptions({
    queryKey: keyOf(hash, path),
    queryFn: async ({ signal }) => {
      const ticket = ticketOf(hash)
      try {
        return await fetchShared(publicPath('share', hash, path, { token: ticket }), { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) keepTicket(hash, undefined)
        throw error
      }
    },
    // Comparing thousands of entries would cost more than rendering those in sight.
    structuralSharing: false,
  })
}

/** Opens a link with its password; the ticket in the answer is kept. @throws ApiError 401 for a wrong one, 429 */
export async function unlock(hash: string, path: string, password: string): Promise<void> {
  const headers = { 'X-SHARE-PASSWORD': encodeURIComponent(password.toWellFormed()) }
  const resource = await fetchShared(publicPath('share', hash, path), { headers })
  keepTicket(hash, resource.token)
  queryClient.setQueryData(keyOf(hash, path), resource)
}

/** No session goes along: a link is the same for everybody. */
function fetchShared(path: string, init: RequestInit): Promise<SharedResource> {
  return apiJson<SharedResource>(path, { ...init, auth: false })
}
