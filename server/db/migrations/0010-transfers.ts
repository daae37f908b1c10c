import type { Kysely } from 'kysely'

/** Folders made on the way to a file, and the digest that a whole upload must have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('made_folders')
    .addColumn('folder', 'text', column => column.primaryKey())
    .addColumn('noted_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.alterTable('uploads').addColumn('checksum', 'text').execute()
}
