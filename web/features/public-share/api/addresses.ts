import { encodePath } from '../../../../shared/path.ts'

export interface PublicQuery {
  /** The ticket of a link with a password. */
  token?: string | undefined
  /** Shown, not saved. */
  inline?: boolean
}

/**
 * Address of a call about a link (contract 10.2), below the base URL: `share` tells what is there, `dl` sends it.
 * @param path below the link; `''` for a shared file itself
 */
export function publicPath(call: 'share' | 'dl', hash: string, path: string, query: PublicQuery = {}): string {
  const values = new URLSearchParams()
  if (query.inline) values.set('inline', 'true')
  if (query.token !== undefined) values.set('token', query.token)
  const text = values.toString()
  return `/api/public/${call}/${encodeURIComponent(hash)}${encodePath(path)}${text === '' ? '' : `?${text}`}`
}
