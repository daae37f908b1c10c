import type { AccessSettings, FactorPolicy } from '../../../../shared/api/access-settings.ts'
import type { Group } from '../../../../shared/api/groups.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = ['settings', 'access']

/** Who must have a second factor, with the groups to choose from (http-api 29, 34); for administrators. */
export const accessQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => {
    const [{ secondFactor }, groups] = await Promise.all([
      apiJson<AccessSettings>('/api/settings/access', { signal }),
      apiJson<Group[]>('/api/groups', { signal }),
    ])
    return { secondFactor, groups }
  },
})

/** @throws ApiError */
export async function updateFactorPolicy(secondFactor: FactorPolicy): Promise<void> {
  const body = JSON.stringify({ secondFactor } satisfies AccessSettings)
  await api('/api/settings/access', { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body })
  await queryClient.invalidateQueries({ queryKey: KEY })
}
