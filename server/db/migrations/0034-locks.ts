import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/** Locks of files and folders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('locks')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('token', 'text', column => column.notNull().unique())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('depth', 'integer', column => column.notNull())
    .addColumn('scope', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('bearer', 'text', column => column.notNull())
    .addColumn('owner_xml', 'text', column => column.notNull())
    .addColumn('label', 'text', column => column.notNull())
    .addColumn('via', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('refreshed_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.createIndex('locks_expires').on('locks').column('expires_at').execute()
  await db.schema.createIndex('locks_user').on('locks').column('user_id').execute()
  if (!isOnPostgres(db)) return void (await db.schema.createIndex('locks_place').on('locks').column('place').execute())
  // An index of PostgreSQL takes texts of at most 2.7 kB.
  await sql`create index locks_place on locks (left(place, 600))`.execute(db)
}
