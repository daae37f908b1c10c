import type { Kysely } from 'kysely'

/** Resumable uploads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('uploads')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('scope', 'text', column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('staged', 'text', column => column.notNull())
    .addColumn('length', 'bigint', column => column.notNull())
    .addColumn('offset', 'bigint', column => column.notNull())
    .addColumn('override', 'integer', column => column.notNull())
    .addColumn('if_match', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.createIndex('uploads_place').on('uploads').columns(['user_id', 'path']).unique().execute()
  await db.schema.createIndex('uploads_expiry').on('uploads').column('expires_at').execute()
}
