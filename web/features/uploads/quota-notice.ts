import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'

/** Shows that what a home holds is near its limit, or fills it. Sizes are in bytes. */
export function noteFilled({ used, limit }: { used: number; limit: number }): void {
  if (used >= limit) notify('error', t('errors.quota'))
  else notify('info', t('quota.nearly', { used: formatBytes(used), total: formatBytes(limit) }))
}

/** Says how many files do not fit into the quota, and what to do. Sizes are in bytes. */
export function noteRefused({ count, left, lacks }: { count: number; left: number; lacks: number }): void {
  notify('info', t('quota.refused', { count, free: formatBytes(left), missing: formatBytes(lacks) }))
}
