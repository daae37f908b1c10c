import {
  type LinkChange,
  type LinkKind,
  MAX_SHARE_DURATION,
  SHARE_UNITS,
  type ShareLink,
} from '../../../shared/api/shares.ts'
import { encodePath } from '../../../shared/path.ts'
import { api, apiJson } from '../../lib/api.ts'
import { changeOf } from '../files/api/resource.ts'

/**
 * `POST /api/share/{path}` (http-api 10.1); a folder's path gets a trailing slash. The body has
 * what differs from an ordinary link. @throws ApiError
 */
export function createShare(
  item: { path: string; isDir: boolean },
  { expire = 0, password, ...more }: LinkChange,
  kind: LinkKind,
): Promise<ShareLink> {
  const life = expire === 0 ? {} : lifetimeUntil(expire)
  return apiJson<ShareLink>(`/api/share${encodePath(item.path)}${item.isDir ? '/' : ''}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...(password && { password }), ...life, ...(kind === 'view' ? {} : { kind }), ...more }),
  })
}

/** The time until an end, in a unit in which the API takes the number. */
function lifetimeUntil(expire: number): { expires: string; unit: keyof typeof SHARE_UNITS } {
  const seconds = expire - Math.floor(Date.now() / 1000)
  return seconds <= MAX_SHARE_DURATION
    ? { expires: String(seconds), unit: 'seconds' }
    : { expires: String(Math.ceil(seconds / SHARE_UNITS.minutes)), unit: 'minutes' }
}

/** `PATCH /api/links/{hash}` (http-api 10.1). @returns the id of the recorded change, if it set anything @throws ApiError */
export async function changeShare({ hash }: Pick<ShareLink, 'hash'>, change: LinkChange): Promise<string | undefined> {
  const response = await api(`/api/links/${encodeURIComponent(hash)}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
  })
  return changeOf(response)
}
