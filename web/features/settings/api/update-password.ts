import { api, renew } from '../../../lib/api.ts'

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
