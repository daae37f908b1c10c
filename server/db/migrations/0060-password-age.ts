import type { Kysely } from 'kysely'

/** When the password of a user was set; 0 where that was not noted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('password_set_at', 'bigint', definition => definition.notNull().defaultTo(0))
    .execute()
}
