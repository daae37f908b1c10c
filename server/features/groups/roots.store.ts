import { quotaColumns, quotaIn } from '../../db/quota-columns.ts'
import type { Db } from '../../db/schema.ts'
import { NO_QUOTA, type OwnQuota } from '../../lib/amount.ts'

/** What administrators set for a further root. */
export interface RootSettings {
  /** Shown in place of the name; empty for none. */
  label: string
  quota: OwnQuota
}

export const NO_ROOT_SETTINGS: RootSettings = { label: '', quota: NO_QUOTA }

/** By the names of the roots; one without anything set is missing. */
export async function listRootSettings(db: Db): Promise<Map<string, RootSettings>> {
  const rows = await db.selectFrom('root_settings').selectAll().orderBy('name').execute()
  return new Map(rows.map(row => [row.name, { label: row.label, quota: quotaIn(row) }]))
}

/** What is missing stays as it is. */
export async function setRoot(
  db: Db,
  name: string,
  { label, quota }: { label?: string | undefined; quota: Partial<OwnQuota> },
): Promise<void> {
  const change = { ...(label !== undefined && { label }), ...quotaColumns(quota) }
  await db
    .insertInto('root_settings')
    .values({ name, label: '', quota_bytes: null, quota_items: null, ...change })
    .onConflict(known => known.column('name').doUpdateSet({ name, ...change }))
    .execute()
}
