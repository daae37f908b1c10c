import type { ShareLink } from '../../../shared/api/shares.ts'

const DAY = 24 * 60 * 60 * 1000
/** Links without a use for as long count as unused. */
const UNUSED = 90 * DAY

export const KINDS = ['view', 'edit', 'drop'] as const
export const STATES = ['paused', 'shut', 'open', 'endless', 'unused'] as const

/** Which links are listed; `''` for all. */
export interface LinkFilter {
  /** A part of the path, the owner, the label or the name in the address. */
  q: string
  kind: (typeof KINDS)[number] | ''
  /** Paused, not opening for another cause, without a password, without an end, or not used for 90 days. */
  only: (typeof STATES)[number] | ''
}

/** The filter in the query of an address; what it does not know counts as left out. */
export function filterIn(query: string): LinkFilter {
  const given = new URLSearchParams(query)
  return {
    q: given.get('q') ?? '',
    kind: KINDS.find(kind => kind === given.get('kind')) ?? '',
    only: STATES.find(state => state === given.get('only')) ?? '',
  }
}

/** The query of the filter, with its question mark; `''` for all links. */
export function queryOf(filter: LinkFilter): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString()
  return query === '' ? '' : `?${query}`
}

/** @param now milliseconds since the epoch */
export function isListed(link: ShareLink, { q, kind, only }: LinkFilter, now: number): boolean {
  const { path, username = '', label = '', slug = '' } = link
  const part = q.trim().toLowerCase()
  if (kind !== '' && (link.kind ?? 'view') !== kind) return false
  if (only !== '' && !HAS[only](link, now)) return false
  return [path, username, label, slug].some(text => text.toLowerCase().includes(part))
}

const HAS: Record<(typeof STATES)[number], (link: ShareLink, now: number) => boolean> = {
  paused: ({ paused }) => paused !== undefined,
  shut: ({ shut }) => shut !== undefined,
  open: ({ hasPassword }) => !hasPassword,
  endless: ({ expire }) => expire === 0,
  unused: ({ used }, now) => used === undefined || now - Date.parse(used.last) > UNUSED,
}
