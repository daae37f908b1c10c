import { type LinkChange, MAX_SHARE_DURATION, SHARE_UNITS, type ShareLink } from '../../../../shared/api/shares.ts'
import { encodePath } from '../../../../shared/path.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { copyText } from '../../../lib/clipboard.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { href } from '../../../lib/router.tsx'

/** Prefix of the cache key of every list of share links. */
const SHARES_KEY = 'shares'

/** The public URL of a share link: `/share/{hash}`, absolute. */
export function shareUrl({ hash }: Pick<ShareLink, 'hash'>): string {
  return location.origin + href(`/share/${encodeURIComponent(hash)}`)
}

/** `GET /api/share/{path}` (http-api 10.1), as a query: the share links to a file or folder. Fails with `ApiError`. */
export function linksQuery(path: string) {
  return queryOptions({
    queryKey: [SHARES_KEY, 'of', path],
    queryFn: ({ signal }) => apiJson<ShareLink[]>(`/api/share${encodePath(path)}`, { signal }),
  })
}

/**
 * `GET /api/shares` (http-api 10.1), as a query: the user's own share links, or for administrators those of all users.
 */
export const allLinksQuery = queryOptions({
  queryKey: [SHARES_KEY, 'all'],
  queryFn: ({ signal }) => apiJson<ShareLink[]>('/api/shares', { signal }),
})

/**
 * `POST /api/share/{path}` (http-api 10.1); a folder's path gets a trailing slash. The body is empty unless there is a
 * password or an end. @throws ApiError
 */
export function createShare(
  item: { path: string; isDir: boolean },
  { expire = 0, password }: LinkChange,
): Promise<ShareLink> {
  const life = expire === 0 ? {} : lifetimeUntil(expire)
  return apiJson<ShareLink>(`/api/share${encodePath(item.path)}${item.isDir ? '/' : ''}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...(password && { password }), ...life }),
  })
}

/** The time until an end, in a unit in which the API takes the number. */
function lifetimeUntil(expire: number): { expires: string; unit: keyof typeof SHARE_UNITS } {
  const seconds = expire - Math.floor(Date.now() / 1000)
  return seconds <= MAX_SHARE_DURATION
    ? { expires: String(seconds), unit: 'seconds' }
    : { expires: String(Math.ceil(seconds / SHARE_UNITS.minutes)), unit: 'minutes' }
}

/** `PATCH /api/links/{hash}` (http-api 10.1). @throws ApiError */
export const changeShare = ({ hash }: Pick<ShareLink, 'hash'>, change: LinkChange): Promise<ShareLink> =>
  apiJson<ShareLink>(`/api/links/${encodeURIComponent(hash)}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
  })

/** `DELETE /api/share/{hash}` (http-api 10.1). @throws ApiError */
export async function removeShare({ hash }: Pick<ShareLink, 'hash'>): Promise<void> {
  await api(`/api/share/${encodeURIComponent(hash)}`, { method: 'DELETE' })
}

/** Invalidates every list of share links; mounted ones reload at once. */
export async function reloadShares(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [SHARES_KEY] })
}

/** Copies a link to the clipboard and confirms it. @returns whether it is there */
export async function copyLink(link: ShareLink): Promise<boolean> {
  const copied = await copyText(shareUrl(link))
  if (copied) notify('success', t('shares.linkCopied'))
  else notify('info', t('shares.copyByHand'))
  return copied
}
