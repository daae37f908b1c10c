import type { Kysely } from 'kysely'

/** Wrong secrets, counted until they expire. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('guesses')
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('failures', 'integer', column => column.notNull())
    .addColumn('last_at', 'bigint', column => column.notNull())
    .addColumn('forget_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.createIndex('guesses_forget').on('guesses').column('forget_at').execute()
}
