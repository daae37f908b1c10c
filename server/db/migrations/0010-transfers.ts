import type { Kysely } from 'kysely'

/** Parent folders created for a file, and the expected digest of a whole upload. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('made_folders')
    .addColumn('folder', 'text', column => column.primaryKey())
    .addColumn('noted_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.alterTable('uploads').addColumn('checksum', 'text').execute()
}
