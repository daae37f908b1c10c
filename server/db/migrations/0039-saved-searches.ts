import type { Kysely } from 'kysely'

/** Searches that users saved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_searches')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('query', 'text', column => column.notNull())
    .addColumn('folder', 'text', column => column.notNull())
    .addColumn('everywhere', 'integer', column => column.notNull())
    .addColumn('in_contents', 'integer', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.createIndex('saved_searches_user').on('saved_searches').columns(['user_id', 'created_at']).execute()
}
