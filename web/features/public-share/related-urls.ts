import type { Beside } from '../files/items/related-urls.ts'
import { publicPath } from './api/addresses.ts'
import { type Link, linkAddress } from './link.ts'

/** What is to be had beside a file below a link; beside one that is shared alone there is nothing. */
export function besideOf(link: Link, path: string): Beside {
  const { hash, ticket: token } = link
  const isAlone = path === ''
  return {
    page: target => (isAlone ? undefined : linkAddress(link, target)),
    content: target => (isAlone ? undefined : publicPath('dl', hash, target, { token, inline: true })),
    subtitles: target => publicPath('subtitle', hash, target, { token }),
  }
}
