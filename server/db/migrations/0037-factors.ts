import type { Kysely } from 'kysely'

/** Authenticator apps of users, and their recovery codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('totp')
    .addColumn('user_id', 'integer', column => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('secret', 'text', column => column.notNull())
    .addColumn('confirmed_at', 'bigint', column => column.notNull())
    .addColumn('last_step', 'bigint', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('hash', 'text', column => column.notNull())
    .addColumn('used_at', 'bigint')
    .addPrimaryKeyConstraint('recovery_codes_pkey', ['user_id', 'hash'])
    .execute()
}
