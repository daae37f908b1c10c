import type { ShareLink } from '../../../../shared/api/shares.ts'
import { encodePath } from '../../../../shared/path.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { copyText } from '../../../lib/clipboard.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { href } from '../../../lib/router.tsx'
import { changeOf } from './resource.ts'

/** Prefix of the cache key of every list of share links. */
const SHARES_KEY = 'shares'

/** The public URL of a share link, absolute: `/share/~{name}` where it has a name, or `/share/{hash}`. */
export function shareUrl({ hash, slug }: Pick<ShareLink, 'hash' | 'slug'>): string {
  return location.origin + href(`/share/${slug === undefined ? encodeURIComponent(hash) : `~${slug}`}`)
}

/** `GET /api/share/{path}` (http-api 10.1), as a query: the share links to a file or folder. Fails with `ApiError`. */
export function linksQuery(path: string) {
  return queryOptions({
    queryKey: [SHARES_KEY, 'of', path],
    // Visitors count, and send files, at any time.
    staleTime: 0,
    queryFn: ({ signal }) => apiJson<ShareLink[]>(`/api/share${encodePath(path) || '/'}`, { signal }),
  })
}

/**
 * `GET /api/shares` (http-api 10.1), as a query: the user's own share links, or for administrators those of all users,
 * with the time of their creation.
 */
export const allLinksQuery = queryOptions({
  queryKey: [SHARES_KEY, 'all'],
  queryFn: ({ signal }) => apiJson<ShareLink[]>('/api/shares?details=true', { signal }),
})

/** `DELETE /api/share/{hash}` (http-api 10.1). @returns the id of the change @throws ApiError */
export async function removeShare({ hash }: Pick<ShareLink, 'hash'>): Promise<string | undefined> {
  return changeOf(await api(`/api/share/${encodeURIComponent(hash)}`, { method: 'DELETE' }))
}

/**
 * `PATCH /api/links/{hash}` (http-api 10.1): pauses an open link, and resumes a paused one; a notice has the reason
 * where it fails.
 */
export async function togglePause({ hash, paused }: ShareLink): Promise<void> {
  await api(`/api/links/${encodeURIComponent(hash)}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ paused: paused === undefined }),
  }).catch((error: unknown) => notify('error', errorText(error)))
  await reloadShares()
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
