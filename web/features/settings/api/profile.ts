import type { User } from '../../../../shared/api/users.ts'
import { api, renew } from '../../../lib/api.ts'

/** The fields that every user may change in their own account. */
export const PROFILE_FIELDS = ['locale', 'hideDotfiles', 'singleClick', 'dateFormat'] as const
export type Profile = Pick<User, (typeof PROFILE_FIELDS)[number]>

/** `PUT /api/users/{id}` with the fields of the profile; updates the session. @throws ApiError */
export async function updateProfile(id: number, profile: Profile): Promise<void> {
  const body = JSON.stringify({ what: 'user', which: PROFILE_FIELDS, data: { id, ...profile } })
  await api(`/api/users/${id}`, { method: 'PUT', body })
  // The change is saved, whether or not the new token arrives now.
  await renew().catch(() => undefined)
}

/**
 * `PUT /api/users/{id}` with a new password (http-api 11).
 * @param current the current one, where the host requires it
 * @throws ApiError
 */
export async function updatePassword(id: number, password: string, current: string | undefined): Promise<void> {
  const body = JSON.stringify({
    what: 'user',
    which: ['password'],
    data: { id, password },
    current_password: current,
  })
  await api(`/api/users/${id}`, { method: 'PUT', body })
  await renew().catch(() => undefined)
}
