import type { Kysely } from 'kysely'

/** Whether a user has a home: `none` for one who has only what others share and folders of other roots. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('home', 'text', column => column.notNull().defaultTo('scope'))
    .execute()
}
