import type { Kysely } from 'kysely'

/** Quotas of files and folders; the homes with a quota of bytes are counted again, because their items are unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['users', 'groups'])
    await db.schema.alterTable(table).addColumn('quota_items', 'bigint').execute()
  for (const column of ['items', 'held_items', 'grown_items'])
    await db.schema
      .alterTable('quota_meters')
      .addColumn(column, 'bigint', added => added.notNull().defaultTo(0))
      .execute()
  await db.schema
    .alterTable('quota_holds')
    .addColumn('items', 'bigint', added => added.notNull().defaultTo(0))
    .execute()
  await (db as Kysely<{ quota_meters: { state: string; counted_at: number | null } }>)
    .updateTable('quota_meters')
    .set({ state: 'counting', counted_at: null })
    .execute()
}
