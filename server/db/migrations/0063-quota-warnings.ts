import type { Kysely } from 'kysely'

/** The shares of their quotas that users were warned about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('quota_warnings')
    .addColumn('user_id', 'integer', column => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('percent', 'integer', column => column.notNull())
    .execute()
}
