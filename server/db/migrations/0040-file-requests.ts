import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/** Links by which visitors deliver files, what arrived by each, and the unfinished uploads of visitors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [column, value] of [
    ['purpose', 'view'],
    ['label', ''],
    ['note', ''],
    ['sender', 'optional'],
  ] as const) {
    await db.schema
      .alterTable('shares')
      .addColumn(column, 'text', definition => definition.notNull().defaultTo(value))
      .execute()
  }
  for (const column of ['max_file_bytes', 'max_bytes', 'max_items']) {
    await db.schema.alterTable('shares').addColumn(column, 'bigint').execute()
  }
  for (const column of ['held_bytes', 'held_items', 'received_bytes', 'received_items']) {
    await db.schema
      .alterTable('shares')
      .addColumn(column, 'bigint', definition => definition.notNull().defaultTo(0))
      .execute()
  }
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('link', 'text', column => column.notNull().references('shares.hash').onDelete('cascade'))
    .addColumn('sender', 'text', column => column.notNull())
    .addColumn('note', 'text', column => column.notNull())
    .addColumn('given', 'text', column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('bytes', 'bigint', column => column.notNull())
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('arrived_at', 'bigint')
    .execute()
  await db.schema.createIndex('deliveries_link').on('deliveries').columns(['link', 'arrived_at']).execute()
  await db.schema.alterTable('uploads').addColumn('link', 'text').execute()
  await db.schema.dropIndex('uploads_place').execute()
  const path = isOnPostgres(db) ? sql`md5(path)` : sql`path`
  await sql`create unique index uploads_place on uploads (user_id, ${path}) where link is null`.execute(db)
  await sql`create index uploads_link on uploads (link) where link is not null`.execute(db)
}
