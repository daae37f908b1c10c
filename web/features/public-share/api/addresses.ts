import type { PreviewSize } from '../../../../shared/api/previews.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { encodePath } from '../../../../shared/path.ts'
import type { Link } from '../link.ts'

export interface PublicQuery {
  /** The ticket of a link with a password. */
  token?: string | undefined
  /** Shown, not saved. */
  inline?: boolean
  /** Of an archive: the folder in it, or the file. */
  in?: string
  member?: string
  /** Keeps versions of the same thing apart. */
  key?: string
}

/**
 * Address of a call about a link (http-api 10.2), below the base URL: `share` tells what is there, `dl` sends it, the
 * others send something made of it.
 * @param path below the link; `''` for a shared file itself
 */
export function publicPath(
  call: 'share' | 'dl' | 'subtitle' | `preview/${PreviewSize}` | `archives/${'list' | 'member'}`,
  hash: string,
  path: string,
  query: PublicQuery = {},
): string {
  const values = new URLSearchParams()
  if (query.in !== undefined) values.set('in', encodePath(query.in))
  if (query.member !== undefined) values.set('member', encodePath(query.member))
  if (query.inline) values.set('inline', 'true')
  if (query.token !== undefined) values.set('token', query.token)
  if (query.key !== undefined) values.set('key', query.key)
  const text = values.toString()
  return `/api/public/${call}/${encodeURIComponent(hash)}${encodePath(path)}${text === '' ? '' : `?${text}`}`
}

/** Address of a picture of a file below a link; a shared file itself has no path. */
export function publicPreview(size: PreviewSize, link: Link, { path, modified }: ResourceItem): string {
  const key = String(Date.parse(modified))
  return publicPath(`preview/${size}`, link.hash, path, { token: link.ticket, inline: true, key })
}
