import { ROOT } from '../../../shared/path.ts'
import { placeInRoot } from '../../../shared/places.ts'
import { fromStored, toStored } from '../../db/paths.ts'
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

/** What was in the place of a further root when it was first opened, or accepted. */
interface SeenRoot {
  place: string
  identity: string
}

/** What was in the places of the further roots (`storage/roots.ts`). */
export const seenRoots = (db: Db) => ({
  async find(name: string): Promise<SeenRoot | undefined> {
    const row = await db.selectFrom('seen_roots').selectAll().where('name', '=', name).executeTakeFirst()
    return row && { place: fromStored(row.place), identity: row.identity }
  },
  keep: (name: string, seen: SeenRoot) => keepSeen(db, name, seen),
  exchange: (name: string, seen: SeenRoot) =>
    db.transaction().execute(async trx => {
      const links = trx.updateTable('shares').set({ paused_at: Date.now() }).where('paused_at', 'is', null)
      // Plain places and escaped ones; no place of the first root has two slashes.
      await links.where('canonical', 'like', `%${placeInRoot({ root: name, path: ROOT })}/%`).execute()
      await keepSeen(trx, name, seen)
    }),
})

async function keepSeen(db: Db, name: string, { place, identity }: SeenRoot): Promise<void> {
  const seen = { place: toStored(place), identity }
  await db
    .insertInto('seen_roots')
    .values({ name, ...seen })
    .onConflict(known => known.column('name').doUpdateSet(seen))
    .execute()
}
