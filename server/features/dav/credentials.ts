import { isTokenLike } from '../tokens/secret.ts'

/** What a program signs in with: an API token, or a name and a password. */
export type DavCredentials =
  | { token: string; username?: undefined; password?: undefined }
  | { token?: undefined; username: string; password: string }

/**
 * The credentials in `Authorization`: Basic (RFC 7617), or an API token as Bearer. A token counts whatever name stands
 * before it, and also as the name of an empty password. A Windows domain before the name is dropped.
 */
export function credentialsOf(header = ''): DavCredentials | undefined {
  const [, scheme = '', rest = ''] = /^(bearer|basic) +(\S+)$/i.exec(header) ?? []
  if (scheme.toLowerCase() === 'bearer') return isTokenLike(rest) ? { token: rest } : undefined
  if (scheme === '') return undefined
  const decoded = textOf(Buffer.from(rest, 'base64'))
  const colon = decoded.indexOf(':')
  if (colon < 0) return undefined
  const username = decoded.slice(0, colon)
  const password = decoded.slice(colon + 1)
  if (isTokenLike(password)) return { token: password }
  if (password === '' && isTokenLike(username)) return { token: username }
  return { username: username.slice(username.indexOf('\\') + 1), password }
}

/** As UTF-8, else as Latin-1, which older programs send. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.includes('\u{FFFD}') ? bytes.toString('latin1') : text
}
