import type { Kysely } from 'kysely'

/** When a mount ends for those to whom it is given. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('mount_access').addColumn('expires_at', 'bigint').execute()
}
