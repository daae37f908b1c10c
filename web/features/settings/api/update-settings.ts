import type { SettingsInput } from '../../../../shared/api/settings.ts'
import { api } from '../../../lib/api.ts'

/** `PUT /api/settings` (contract 12): all of them; what is left out would go back to its default. @throws ApiError */
export async function updateSettings(settings: SettingsInput): Promise<void> {
  await api('/api/settings', { method: 'PUT', body: JSON.stringify(settings) })
}
