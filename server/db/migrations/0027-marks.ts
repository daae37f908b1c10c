import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/** Files and folders that users starred, opened and changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stars')
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('object', 'text', column => column.notNull())
    .addColumn('position', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('stars_pkey', ['user_id', 'object'])
    .execute()
  await db.schema.createIndex('stars_object').on('stars').column('object').execute()
  await db.schema
    .createTable('recents')
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('object', 'text', column => column.notNull())
    .addColumn('opened_at', 'bigint')
    .addColumn('changed_at', 'bigint')
    .addPrimaryKeyConstraint('recents_pkey', ['user_id', 'object'])
    .execute()
  await db.schema.createIndex('recents_object').on('recents').column('object').execute()
  await db.schema
    .alterTable('users')
    .addColumn('remember_opened', 'integer', column => column.notNull().defaultTo(1))
    .execute()
  await db.schema.createIndex('kept_identity').on('kept').column('identity').execute()
  if (!isOnPostgres(db)) return
  // An index of PostgreSQL takes texts of at most 2.7 kB.
  await sql`create index objects_place on objects (left(place, 600))`.execute(db)
  await sql`create index kept_place on kept (left(place, 600))`.execute(db)
}
