import type { Kysely } from 'kysely'

/** Notes about files and folders, and the comments on them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notes')
    .addColumn('object', 'text', column => column.primaryKey())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('username', 'text', column => column.notNull())
    .addColumn('at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('comments')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('object', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.references('users.id').onDelete('set null'))
    .addColumn('username', 'text', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('edited_at', 'bigint')
    .execute()
  await db.schema.createIndex('comments_object').on('comments').columns(['object', 'id']).execute()
  await db.schema.createIndex('comments_user').on('comments').column('user_id').execute()
}
