import type { User } from '../../../../shared/api/users.ts'
import { api, renew } from '../../../lib/api.ts'
import { sessionStore } from '../../../lib/session.ts'

/**
 * `PUT /api/users/{id}` with every field (contract 11); a blank password changes none. Whoever changes themselves gets a
 * fresh session at once (specification section 4).
 * @throws ApiError
 */
export async function updateUser(user: User, currentPassword: string | undefined): Promise<void> {
  const body = JSON.stringify({ what: 'user', which: ['all'], data: user, current_password: currentPassword })
  await api(`/api/users/${user.id}`, { method: 'PUT', body })
  if (user.id === sessionStore.get().user?.id) await renew().catch(() => undefined)
}
