import type { Kysely } from 'kysely'

/** Which folder was in the place of each further root, so that an exchanged disk is noticed after a restart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('seen_roots')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('identity', 'text', column => column.notNull())
    .execute()
}
