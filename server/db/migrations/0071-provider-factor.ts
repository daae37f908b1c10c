import type { Kysely } from 'kysely'

/** Whether the provider of a session checked a second factor; not known of sessions from before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('provider_factor', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}
