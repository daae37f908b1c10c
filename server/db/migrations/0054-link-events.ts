import type { Kysely } from 'kysely'

/** When each link was opened and downloaded from: the last times. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('link_events')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('link', 'text', column => column.notNull().references('shares.hash').onDelete('cascade'))
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('what', 'text', column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('link_events_link').on('link_events').columns(['link', 'at']).execute()
}
