import type { Kysely } from 'kysely'

/** Groups that a provider or a directory brought. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('groups')
    .addColumn('source', 'text', column => column.notNull().defaultTo(''))
    .execute()
}
