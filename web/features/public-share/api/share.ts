import type { SharedResource } from '../../../../shared/api/shares.ts'
import { ApiError, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { keepTicket, renewTicket, ticketOf } from '../ticket.ts'
import { publicPath } from './addresses.ts'

const keyOf = (hash: string, path: string) => ['public', hash, path] as const

/**
 * A shared item at a path below the share (http-api 10.2), as a query. An invalid ticket is dropped: the error is a 401
 * then, and the page prompts for the password.
 */
export function sharedQuery(hash: string, path: string) {
  return queryOptions({
    queryKey: keyOf(hash, path),
    queryFn: async ({ signal }) => {
      const ticket = ticketOf(hash)
      try {
        const resource = await fetchShared(publicPath('share', hash, path, { token: ticket }), { signal })
        // A file request and a link to edit renew it: files can take longer than it lasts.
        if (resource.token !== undefined) renewTicket(hash, resource.token)
        return resource
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) keepTicket(hash, undefined)
        throw error
      }
    },
    // Structural sharing is off: comparing thousands of entries costs more than rendering those in view.
    structuralSharing: false,
  })
}

/**
 * Opens a password-protected share; the ticket in the response is stored. @throws ApiError 401 for a wrong password,
 * 429
 */
export async function unlock(hash: string, path: string, password: string): Promise<void> {
  const headers = { 'X-SHARE-PASSWORD': encodeURIComponent(password.toWellFormed()) }
  const resource = await fetchShared(publicPath('share', hash, path), { headers })
  keepTicket(hash, resource.token)
  queryClient.setQueryData(keyOf(hash, path), resource)
}

/** The folders of a share, for what changes them. */
export function foldersOf(hash: string): LinkFolders {
  return {
    async list(folder) {
      return itemsOf(await queryClient.fetchQuery({ ...sharedQuery(hash, folder), staleTime: 0 })) ?? []
    },
    known: folder => itemsOf(queryClient.getQueryData<SharedResource>(keyOf(hash, folder))),
    reload: () => queryClient.invalidateQueries({ queryKey: ['public', hash] }),
  }
}

const itemsOf = (resource: SharedResource | undefined) => (resource && 'items' in resource ? resource.items : undefined)

/** Sent without a session: a share is the same for all visitors. */
function fetchShared(path: string, init: RequestInit): Promise<SharedResource> {
  return apiJson<SharedResource>(path, { ...init, auth: false })
}
