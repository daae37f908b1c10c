import type { RelatedUrls } from '../files/items/related-urls.ts'
import { publicPath } from './api/addresses.ts'
import { type Link, linkAddress } from './link.ts'

/** Resolves references relative to a shared file; a file shared alone has no related files. */
export function relatedUrlsOf(link: Link, path: string): RelatedUrls {
  const { hash, ticket: token } = link
  const isAlone = path === ''
  return {
    page: target => (isAlone ? undefined : linkAddress(link, target)),
    content: target => (isAlone ? undefined : publicPath('dl', hash, target, { token, inline: true })),
    subtitles: target => publicPath('subtitle', hash, target, { token }),
  }
}
