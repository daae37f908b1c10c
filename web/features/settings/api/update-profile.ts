import type { User } from '../../../../shared/api/users.ts'
import { api, renew } from '../../../lib/api.ts'

/** What everybody may set of themselves. */
export const PROFILE_FIELDS = ['locale', 'hideDotfiles', 'singleClick', 'dateFormat'] as const
export type Profile = Pick<User, (typeof PROFILE_FIELDS)[number]>

/** `PUT /api/users/{id}` with the fields of the profile; the session then knows them. @throws ApiError */
export async function updateProfile(id: number, profile: Profile): Promise<void> {
  const body = JSON.stringify({ what: 'user', which: PROFILE_FIELDS, data: { id, ...profile } })
  await api(`/api/users/${id}`, { method: 'PUT', body })
  // What was saved is saved, whether or not the new token comes now.
  await renew().catch(() => undefined)
}
