import { api } from '../../../lib/api.ts'

/** `DELETE /api/users/{id}` (http-api 11). @throws ApiError */
export async function removeUser(id: number, currentPassword: string | undefined): Promise<void> {
  const body = JSON.stringify({ current_password: currentPassword })
  await api(`/api/users/${id}`, { method: 'DELETE', body })
}
