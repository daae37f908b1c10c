import type { SettingsAnswer } from '../../shared/api/settings.ts'
import { apiJson } from './api.ts'
import { queryOptions } from './query.ts'

export const SETTINGS_KEY = ['settings'] as const

/** `GET /api/settings` (http-api 12), as a query. Not fetched again while a form is filled in. */
export const settingsQuery = queryOptions({
  queryKey: SETTINGS_KEY,
  queryFn: ({ signal }) => apiJson<SettingsAnswer>('/api/settings', { signal }),
  refetchOnWindowFocus: false,
  // A form always begins with what the server has now.
  gcTime: 0,
})
