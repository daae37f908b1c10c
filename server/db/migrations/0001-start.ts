import type { Kysely } from 'kysely'

/** Users, sessions and settings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('username', 'text', column => column.notNull().unique())
    .addColumn('password_hash', 'text', column => column.notNull())
    .addColumn('scope', 'text', column => column.notNull())
    .addColumn('lock_password', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('perm', 'text', column => column.notNull())
    .addColumn('preferences', 'text', column => column.notNull())
    .addColumn('rules', 'text', column => column.notNull().defaultTo('[]'))
    .addColumn('commands', 'text', column => column.notNull().defaultTo('[]'))
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('modified_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('renewed_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute()
  await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('value', 'text', column => column.notNull())
    .execute()
}
