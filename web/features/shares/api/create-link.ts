import type { ShareLink } from '../../../../shared/api/shares.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'
import type { Life } from '../expiry.ts'

export interface LinkWish extends Life {
  /** `''` for none. */
  password: string
}

/**
 * `POST /api/share/{path}` (http-api 10.1); a folder's path gets a slash at its end. The body is empty unless there is
 * a password or an end. @throws ApiError
 */
export function createLink(item: { path: string; isDir: boolean }, wish: LinkWish): Promise<ShareLink> {
  const { expires, unit, password } = wish
  const query = expires === '' ? '' : `?expires=${expires}&unit=${unit}`
  const body = expires === '' && password === '' ? {} : { password, expires, unit }
  return apiJson<ShareLink>(`/api/share${encodePath(item.path)}${item.isDir ? '/' : ''}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}
