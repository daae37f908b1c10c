import type { TokenUser } from '../../shared/api/users.ts'
import { NO_PERMISSIONS } from '../../shared/permissions.ts'

/** Local storage key of the token. */
export const TOKEN_KEY = 'jwt'

/**
 * The user in the payload of a token. For display only: the server checks every permission.
 * @throws Error('token malformed') unless it has exactly three parts and the payload holds a user
 */
export function decodeToken(text: string): TokenUser {
  const parts = text.split('.')
  const [, middle] = parts
  if (parts.length !== 3 || !middle) throw new Error('token malformed')
  try {
    const bytes = Uint8Array.from(atob(middle.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0))
    const { user } = JSON.parse(new TextDecoder().decode(bytes)) as { user: TokenUser }
    return { ...user, perm: { ...NO_PERMISSIONS, ...user.perm } }
  } catch (error) {
    throw new Error('token malformed', { cause: error })
  }
}

export function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY) || null
  } catch {
    return null
  }
}

/** The language of the last signed-in user, `''` if unknown. */
export function storedLocale(): string {
  const stored = readToken()
  try {
    return stored ? decodeToken(stored).locale : ''
  } catch {
    return ''
  }
}
