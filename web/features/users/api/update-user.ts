import type { User } from '../../../../shared/api/users.ts'
import { api, renew } from '../../../lib/api.ts'
import { sessionStore } from '../../../lib/session.ts'

/**
 * `PUT /api/users/{id}` with the fields that differ (http-api 11): concurrent changes to others stay. A change of the
 * current user renews the session at once.
 * @throws ApiError
 */
export async function updateUser(saved: User, user: User, currentPassword: string | undefined): Promise<void> {
  const fields = Object.keys(user) as (keyof User)[]
  const which = fields.filter(field => JSON.stringify(user[field]) !== JSON.stringify(saved[field]))
  const body = JSON.stringify({ what: 'user', which, data: user, current_password: currentPassword })
  await api(`/api/users/${user.id}`, { method: 'PUT', body })
  if (user.id === sessionStore.get().user?.id) await renew().catch(() => undefined)
}
