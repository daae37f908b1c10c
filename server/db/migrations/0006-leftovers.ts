import type { Kysely } from 'kysely'

/** Folders that may hold unfinished files, and the conditions under which an upload is committed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('staging_places')
    .addColumn('place', 'text', column => column.primaryKey())
    .addColumn('noted_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.alterTable('uploads').addColumn('modified', 'bigint').execute()
  await db.schema.alterTable('uploads').addColumn('unmodified_since', 'bigint').execute()
}
