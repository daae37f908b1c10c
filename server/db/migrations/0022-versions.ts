import type { Kysely } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/** Former contents of files among the kept items, and the files that they belong to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['object', 'was', 'label', 'sha256', 'change']) {
    await db.schema.alterTable('kept').addColumn(name, 'text').execute()
  }
  await db.schema
    .alterTable('kept')
    .addColumn('pinned', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('objects')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('identity', 'text', column => column.notNull().unique())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('size', 'bigint')
    .addColumn('modified', 'double precision')
    .addColumn('seen_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.createIndex('kept_object').on('kept').columns(['object', 'id']).execute()
  // As with `shares_place`, an index of PostgreSQL would not take every path.
  if (!isOnPostgres(db)) await db.schema.createIndex('objects_place').on('objects').column('place').execute()
}
