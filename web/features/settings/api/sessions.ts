import type { SessionInfo } from '../../../../shared/api/auth.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = 'sessions'

/** `GET /api/sessions`, as a query: the user's sessions. */
export const sessionsQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => apiJson<SessionInfo[]>('/api/sessions', { signal }),
})

/** Ends one session of the user. @throws ApiError */
export async function endOneSession(id: string): Promise<void> {
  await api(`/api/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })
  await queryClient.invalidateQueries({ queryKey: [KEY] })
}

/**
 * Ends every session of the user, including this one. @param withPlanned cancels scheduled jobs, too @throws ApiError
 */
export async function endAllSessions(withPlanned: boolean): Promise<void> {
  await api(`/api/sessions${withPlanned ? '?planned=cancel' : ''}`, { method: 'DELETE' })
}
