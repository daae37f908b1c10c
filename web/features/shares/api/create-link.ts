import type { ShareLink } from '../../../../shared/api/shares.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'
import type { LinkExpiry } from '../expiry.ts'

export interface LinkOptions extends LinkExpiry {
  /** `''` for none. */
  password: string
}

/**
 * `POST /api/share/{path}` (http-api 10.1); a folder's path gets a trailing slash. The body is empty unless there is a
 * password or an expiry. @throws ApiError
 */
export function createLink(item: { path: string; isDir: boolean }, wish: LinkOptions): Promise<ShareLink> {
  const { expires, unit, password } = wish
  const query = expires === '' ? '' : `?expires=${expires}&unit=${unit}`
  const body = expires === '' && password === '' ? {} : { password, expires, unit }
  return apiJson<ShareLink>(`/api/share${encodePath(item.path)}${item.isDir ? '/' : ''}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}
