import type { AccessChange, AccessSettings, FactorPolicy, LinkPolicy } from '../../../../shared/api/access-settings.ts'
import type { Group } from '../../../../shared/api/groups.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = ['settings', 'access']

/** Who must have a second factor, with the groups to choose from (http-api 29, 34), and which links users may make; for administrators. */
export const accessQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => {
    const [settings, groups] = await Promise.all([
      apiJson<AccessSettings>('/api/settings/access', { signal }),
      apiJson<Group[]>('/api/groups', { signal }),
    ])
    return { ...settings, groups }
  },
})

/** @throws ApiError */
export const updateFactorPolicy = (secondFactor: FactorPolicy): Promise<void> => update({ secondFactor })

/** @throws ApiError */
export const updateLinkPolicy = (links: LinkPolicy): Promise<void> => update({ links })

async function update(change: AccessChange): Promise<void> {
  const body = JSON.stringify(change)
  await api('/api/settings/access', { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body })
  await queryClient.invalidateQueries({ queryKey: KEY })
}
