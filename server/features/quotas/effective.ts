import { type QuotaLimits } from '../../files/metering.ts'
import { type Amount, NO_QUOTA, type OwnQuota } from '../../lib/amount.ts'

/** What decides over the quota of a user. */
export interface QuotaWords<Group extends { quota?: OwnQuota }> {
  quota?: OwnQuota
  groups?: readonly Group[]
}

/** A limit of a user, and who gives it; without `limit` there is none. */
export interface EffectiveQuota<Group> {
  limit?: number
  /** Nothing where neither the user nor a group says anything. */
  by?: 'own' | Group
}

/** The user's own quota counts; without one the most generous of the groups. That of bytes and of items are apart. */
export function effectiveQuota<Group extends { quota?: OwnQuota }>(
  kind: keyof Amount,
  { quota = NO_QUOTA, groups = [] }: QuotaWords<Group>,
): EffectiveQuota<Group> {
  const own = quota[kind]
  if (own !== null) return own < 0 ? { by: 'own' } : { limit: own, by: 'own' }
  let best: { limit: number; by: Group } | undefined
  for (const by of groups) {
    const most = by.quota?.[kind] ?? null
    if (most === null) continue
    if (most < 0) return { by }
    if (!best || most > best.limit) best = { limit: most, by }
  }
  return best ?? {}
}

export const limitsOf = <Group extends { quota?: OwnQuota }>(words: QuotaWords<Group>): QuotaLimits => ({
  bytes: effectiveQuota('bytes', words).limit,
  items: effectiveQuota('items', words).limit,
})

export const isLimited = ({ bytes, items }: QuotaLimits): boolean => bytes !== undefined || items !== undefined
