import type { SettingsAnswer } from '../../../../shared/api/settings.ts'
import { apiJson } from '../../../lib/api.ts'
import { queryOptions } from '../../../lib/query.ts'

export const SETTINGS_KEY = ['settings'] as const

/** `GET /api/settings` (http-api 12), as a query. Not refetched while a form is open. */
export const settingsQuery = queryOptions({
  queryKey: SETTINGS_KEY,
  queryFn: ({ signal }) => apiJson<SettingsAnswer>('/api/settings', { signal }),
  refetchOnWindowFocus: false,
  // A form always starts from the server's current values.
  gcTime: 0,
})
