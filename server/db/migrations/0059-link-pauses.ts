import type { Kysely } from 'kysely'

/** When links were paused, and whether their visitors see previews only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('shares').addColumn('paused_at', 'bigint').execute()
  await db.schema
    .alterTable('shares')
    .addColumn('preview_only', 'integer', definition => definition.notNull().defaultTo(0))
    .execute()
}
