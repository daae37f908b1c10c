import type { Kysely } from 'kysely'

/** What users signed in from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_places')
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('seen_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('sign_in_places_key', ['user_id', 'place'])
    .execute()
}
