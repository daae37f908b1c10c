import type { HostSetting, HostSettingInput } from '../../../../shared/api/diagnostics.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = ['diagnostics', 'settings']

/** `GET /api/doctor/settings`, as a query. */
export const hostSettingsQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => apiJson<HostSetting[]>('/api/doctor/settings', { signal }),
})

/** `PUT /api/doctor/settings/:name`: takes effect at the next start. */
export function putHostSetting(name: string, text: string): Promise<void> {
  return change(name, { method: 'PUT', body: JSON.stringify({ text } satisfies HostSettingInput) })
}

/** `DELETE /api/doctor/settings/:name`: the default takes effect at the next start. */
export const resetHostSetting = (name: string): Promise<void> => change(name, { method: 'DELETE' })

async function change(name: string, how: { method: string; body?: string }): Promise<void> {
  await api(`/api/doctor/settings/${encodeURIComponent(name)}`, how)
  await queryClient.invalidateQueries({ queryKey: KEY, exact: true })
}
