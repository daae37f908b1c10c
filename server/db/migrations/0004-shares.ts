import type { Kysely } from 'kysely'

/** Share links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shares')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('identity', 'text', column => column.notNull())
    .addColumn('expire', 'bigint', column => column.notNull())
    .addColumn('password_hash', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.createIndex('shares_user').on('shares').column('user_id').execute()
  await db.schema.createIndex('shares_place').on('shares').column('place').execute()
  await db.schema.createIndex('shares_identity').on('shares').column('identity').execute()
}
