import type { Kysely } from 'kysely'

/** Who disabled an account: only an administrator enables one that an administrator disabled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('disabled_by', 'text', column => column.notNull().defaultTo(''))
    .execute()
}
