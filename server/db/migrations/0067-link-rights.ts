import type { Kysely } from 'kysely'

/** What the visitors of links to edit may do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('shares')
    .addColumn('rights', 'text', definition => definition.notNull().defaultTo('[]'))
    .execute()
}
