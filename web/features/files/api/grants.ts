import type {
  GivenRight,
  Grant,
  GrantChange,
  GrantRequest,
  GrantRight,
  ReceivedGrants,
  Recipient,
} from '../../../../shared/api/grants.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

/** Prefix of the cache key of what the user shares with others. */
const GIVEN_KEY = 'grants'
/** Cache key of what others share with the user. */
const RECEIVED_KEY = ['places', 'received']

/** What a recipient may do, as the interface offers it. */
export const PRESETS = {
  view: ['download'],
  edit: ['download', 'create', 'rename', 'modify', 'delete'],
  collect: ['create'],
} as const satisfies Record<string, readonly GrantRight[]>
export type Preset = keyof typeof PRESETS

export const PRESET_NAMES = Object.keys(PRESETS) as readonly Preset[]

/** The preset of some rights, if one gives just these, whether or not they are shared on. */
export function presetOf(given: readonly GivenRight[]): Preset | undefined {
  const rights = given.filter(right => right !== 'share')
  return PRESET_NAMES.find(
    name => PRESETS[name].length === rights.length && PRESETS[name].every(right => rights.includes(right)),
  )
}

/** The rights of a preset, with that to share on where it was given. */
export const rightsOfPreset = (name: Preset, given: readonly GivenRight[]): GivenRight[] =>
  given.includes('share') && name !== 'collect' ? [...PRESETS[name], 'share'] : [...PRESETS[name]]

/** `GET /api/grants` (http-api 36), as a query: the user's grants, of one path or all. Fails with `ApiError`. */
export const givenQuery = (path?: string) =>
  queryOptions({
    queryKey: [GIVEN_KEY, path ?? ''],
    staleTime: 0,
    queryFn: ({ signal }) =>
      apiJson<Grant[]>(`/api/grants${path === undefined ? '' : `?path=${encodeURIComponent(path)}`}`, { signal }),
  })

/** `GET /api/grants/people` (http-api 36), as a query. Fails with `ApiError`. */
export const recipientsQuery = (part: string) =>
  queryOptions({
    queryKey: ['recipients', part],
    enabled: part !== '',
    queryFn: ({ signal }) => apiJson<Recipient[]>(`/api/grants/people?q=${encodeURIComponent(part)}`, { signal }),
  })

/** `GET /api/grants/received` (http-api 36), as a query. Fails with `ApiError`. */
export const receivedQuery = queryOptions({
  queryKey: RECEIVED_KEY,
  staleTime: 0,
  refetchOnReconnect: true,
  refetchOnWindowFocus: true,
  queryFn: ({ signal }) => apiJson<ReceivedGrants>('/api/grants/received', { signal }),
})

/** `POST /api/grants` (http-api 36). @throws ApiError */
export async function addGrant(request: GrantRequest): Promise<void> {
  await api('/api/grants', { method: 'POST', body: JSON.stringify(request) })
  await reloadGiven()
}

/** `PATCH /api/grants/{id}` (http-api 36). @throws ApiError */
export async function changeGrant(id: string, change: GrantChange): Promise<void> {
  await api(`/api/grants/${encodeURIComponent(id)}`, { method: 'PATCH', body: JSON.stringify(change) })
  await reloadGiven()
}

/** `DELETE /api/grants/{id}` (http-api 36). @throws ApiError */
export async function removeGrant(id: string): Promise<void> {
  await api(`/api/grants/${encodeURIComponent(id)}`, { method: 'DELETE' })
  await reloadGiven()
}

/** `DELETE /api/grants/received/{id}` (http-api 36). @throws ApiError */
export async function leaveGrant(id: string): Promise<void> {
  await api(`/api/grants/received/${encodeURIComponent(id)}`, { method: 'DELETE' })
  await reloadReceived()
}

const reloadGiven = () => queryClient.invalidateQueries({ queryKey: [GIVEN_KEY] })

/** Reloads what others share with the user. */
export const reloadReceived = () => queryClient.invalidateQueries({ queryKey: RECEIVED_KEY })
