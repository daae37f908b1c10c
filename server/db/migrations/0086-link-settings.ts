import type { Kysely } from 'kysely'

/** The settings of a share link before and after a change, so that it can be undone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('change_steps').addColumn('settings', 'text').execute()
}
