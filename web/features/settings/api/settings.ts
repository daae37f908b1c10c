import type { SettingsAnswer } from '../../../../shared/api/settings.ts'
import { ApiError, api, apiJson } from '../../../lib/api.ts'
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

/** Derives the settings to store from the current ones; `undefined` when that is no longer possible. */
type Change = (now: SettingsAnswer) => SettingsAnswer | undefined

/**
 * `PUT /api/settings` (http-api 12): all of them, since omitted ones would return to their defaults; conditional on the
 * version that the change is based on.
 * @returns the stored settings
 * @throws ApiError `precondition_failed` also where the change cannot be applied
 */
export async function updateSettings(change: Change): Promise<SettingsAnswer> {
  const answer = await api('/api/settings')
  const settings = change(await answer.json())
  if (!settings) throw new ApiError(412, 'changed by somebody else', 'precondition_failed')
  const headers = { 'If-Match': answer.headers.get('ETag') ?? '*' }
  await api('/api/settings', { method: 'PUT', body: JSON.stringify(settings), headers })
  return settings
}
