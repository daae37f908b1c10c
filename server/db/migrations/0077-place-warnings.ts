import type { Kysely } from 'kysely'

/** The shares of the quotas of roots and mounts that administrators were warned about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('place_warnings')
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('percent', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('place_warnings_key', ['kind', 'place'])
    .execute()
}
