import type { Kysely } from 'kysely'

/** What administrators set for further roots, and quotas of these and of mounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('root_settings')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('label', 'text', column => column.notNull().defaultTo(''))
    .addColumn('quota_bytes', 'bigint')
    .addColumn('quota_items', 'bigint')
    .execute()
  for (const column of ['quota_bytes', 'quota_items'])
    await db.schema.alterTable('mounts').addColumn(column, 'bigint').execute()
}
