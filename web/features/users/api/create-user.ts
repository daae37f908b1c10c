import type { User } from '../../../../shared/api/users.ts'
import { api } from '../../../lib/api.ts'

/**
 * `POST /api/users` (http-api 11).
 * @returns the new user's address, without the base URL
 * @throws ApiError
 */
export async function createUser(user: User, currentPassword: string | undefined): Promise<string> {
  const body = JSON.stringify({ what: 'user', which: [], data: user, current_password: currentPassword })
  const response = await api('/api/users', { method: 'POST', body })
  return response.headers.get('Location') ?? '/settings/users'
}
