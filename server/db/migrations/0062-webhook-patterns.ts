import type { Kysely } from 'kysely'

/** The names that webhooks are about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('webhooks')
    .addColumn('pattern', 'text', definition => definition.notNull().defaultTo(''))
    .execute()
}
