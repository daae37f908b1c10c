import type { Sorting } from '../../../../shared/sorting.ts'
import type { ViewMode } from '../../../../shared/views.ts'
import { api } from '../../../lib/api.ts'

/** How a user wants listings to look. */
export interface ListingChoice {
  sorting: Sorting
  viewMode: ViewMode
}

/** `PUT /api/users/{id}` with just the fields that have changed (http-api 11, 20.2). @throws ApiError */
export async function saveChoice(id: number, change: Partial<ListingChoice>): Promise<void> {
  const body = JSON.stringify({ what: 'user', which: Object.keys(change), data: { id, ...change } })
  await api(`/api/users/${id}`, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body })
}
