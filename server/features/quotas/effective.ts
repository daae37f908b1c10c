/** What decides over the quota of a user; each is in bytes, null where it does not say, -1 for no limit. */
export interface QuotaWords<Group extends { quotaBytes?: number | null }> {
  quotaBytes?: number | null
  groups?: readonly Group[]
}

/** The quota of a user, and who gives it; without `limit` there is none. */
export interface EffectiveQuota<Group> {
  limit?: number
  /** Nothing where neither the user nor a group says anything. */
  by?: 'own' | Group
}

/** The user's own quota counts; without one the most generous of the groups. */
export function effectiveQuota<Group extends { quotaBytes?: number | null }>({
  quotaBytes = null,
  groups = [],
}: QuotaWords<Group>): EffectiveQuota<Group> {
  if (quotaBytes !== null) return quotaBytes < 0 ? { by: 'own' } : { limit: quotaBytes, by: 'own' }
  let best: { limit: number; by: Group } | undefined
  for (const by of groups) {
    const bytes = by.quotaBytes ?? null
    if (bytes === null) continue
    if (bytes < 0) return { by }
    if (!best || bytes > best.limit) best = { limit: bytes, by }
  }
  return best ?? {}
}
