import type { Sorting } from '../../../../shared/sorting.ts'
import type { ViewMode } from '../../../../shared/views.ts'
import { api } from '../../../lib/api.ts'

/** A user's listing preferences. */
export interface ListingPreferences {
  sorting: Sorting
  viewMode: ViewMode
}

/** `PUT /api/users/{id}` with only the changed fields (http-api 11, 20.2). @throws ApiError */
export async function savePreferences(id: number, change: Partial<ListingPreferences>): Promise<void> {
  const body = JSON.stringify({ what: 'user', which: Object.keys(change), data: { id, ...change } })
  await api(`/api/users/${id}`, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body })
}
