import type { SettingsAnswer } from '../../../../shared/api/settings.ts'
import { ApiError, api } from '../../../lib/api.ts'

/** Settings to be stored, made of what is there now; `undefined` when that cannot be any more. */
type Change = (now: SettingsAnswer) => SettingsAnswer | undefined

/**
 * `PUT /api/settings` (http-api 12): all of them, since what is left out would go back to its default; and only in place of
 * those that the change was made of.
 * @returns what was stored
 * @throws ApiError `precondition_failed` also where the change cannot be made
 */
export async function updateSettings(change: Change): Promise<SettingsAnswer> {
  const answer = await api('/api/settings')
  const settings = change(await answer.json())
  if (!settings) throw new ApiError(412, 'changed by somebody else', 'precondition_failed')
  const headers = { 'If-Match': answer.headers.get('ETag') ?? '*' }
  await api('/api/settings', { method: 'PUT', body: JSON.stringify(settings), headers })
  return settings
}
