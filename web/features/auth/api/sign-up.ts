import { api } from '../../../lib/api.ts'

/**
 * `POST /api/signup` (http-api 2.3). Creates no session: the new user signs in afterwards. @throws ApiError 409, 400,
 * 405
 */
export async function signUp(username: string, password: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  await api('/api/signup', { method: 'POST', body: JSON.stringify({ username, password }), headers, auth: false })
}
