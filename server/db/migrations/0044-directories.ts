import type { Kysely } from 'kysely'

/** Accounts that a directory closed, and since when it does not vouch for a user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('disabled_at', 'bigint', column => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('identities').addColumn('missing_since', 'bigint').execute()
}
