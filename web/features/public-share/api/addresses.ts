import type { PreviewSize } from '../../../../shared/api/previews.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { encodePath } from '../../../../shared/path.ts'
import type { Link } from '../link.ts'

export interface PublicQuery {
  /** The ticket of a password-protected share. */
  token?: string | undefined
  /** Displayed, not saved. */
  inline?: boolean
  /** In a folder: names of images, each percent-encoded. */
  files?: string
  /** In an archive: the folder, or the file. */
  in?: string
  member?: string
  /** Version for cache busting. */
  key?: string
}

/**
 * URL of a call for a public share (http-api 10.2), below the base URL: `share` describes an item, `dl` downloads it,
 * the others send something derived from it.
 * @param path below the share; `''` for a shared file itself
 */
export function publicPath(
  call: 'share' | 'dl' | 'subtitle' | 'picture-sizes' | `preview/${PreviewSize}` | `archives/${'list' | 'member'}`,
  hash: string,
  path: string,
  query: PublicQuery = {},
): string {
  const values = new URLSearchParams()
  if (query.in !== undefined) values.set('in', encodePath(query.in))
  if (query.member !== undefined) values.set('member', encodePath(query.member))
  if (query.files !== undefined) values.set('files', query.files)
  if (query.inline) values.set('inline', 'true')
  if (query.token !== undefined) values.set('token', query.token)
  if (query.key !== undefined) values.set('key', query.key)
  const text = values.toString()
  return `/api/public/${call}/${encodeURIComponent(hash)}${encodePath(path)}${text === '' ? '' : `?${text}`}`
}

/** URL of a thumbnail of a shared file; a file shared alone has no path. */
export function publicPreview(
  size: PreviewSize,
  link: Link,
  { path, modified }: Pick<ResourceItem, 'path' | 'modified'>,
): string {
  const key = String(Date.parse(modified))
  return publicPath(`preview/${size}`, link.hash, path, { token: link.ticket, inline: true, key })
}
