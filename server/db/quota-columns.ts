import type { OwnQuota } from '../lib/amount.ts'
import type { QuotaColumns } from './quotas-schema.ts'

export const quotaIn = ({ quota_bytes, quota_items }: QuotaColumns): OwnQuota => ({
  bytes: quota_bytes === null ? null : Number(quota_bytes),
  items: quota_items === null ? null : Number(quota_items),
})

/** The columns to set; those of what is not said stay as they are. */
export const quotaColumns = ({ bytes, items }: Partial<OwnQuota>): Partial<QuotaColumns> => ({
  ...(bytes !== undefined && { quota_bytes: bytes }),
  ...(items !== undefined && { quota_items: items }),
})
