import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/** Properties that programs set over WebDAV. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('dav_props')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('parent', 'text', column => column.notNull())
    .addColumn('identity', 'text', column => column.notNull())
    .addColumn('namespace', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('value', 'text', column => column.notNull())
    .addColumn('set_at', 'bigint', column => column.notNull())
    .execute()
  for (const column of ['place', 'parent']) {
    const index = db.schema.createIndex(`dav_props_${column}`).on('dav_props')
    if (!isOnPostgres(db)) await index.column(column).execute()
    // An index of PostgreSQL takes texts of at most 2.7 kB.
    else
      await sql`create index ${sql.ref(`dav_props_${column}`)} on dav_props (left(${sql.ref(column)}, 600))`.execute(db)
  }
}
