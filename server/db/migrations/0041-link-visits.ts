import type { Kysely } from 'kysely'

/** How often each link was opened and downloaded from, and when last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['views', 'downloads']) {
    await db.schema
      .alterTable('shares')
      .addColumn(column, 'bigint', definition => definition.notNull().defaultTo(0))
      .execute()
  }
  await db.schema.alterTable('shares').addColumn('last_used_at', 'bigint').execute()
}
