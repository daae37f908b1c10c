import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/** What office editors open, and what they call their locks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('locks').addColumn('wopi_id', 'text').execute()
  await db.schema
    .createTable('office_files')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('opened_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('office_tokens')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('file_id', 'text', column => column.notNull().references('office_files.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('bearer', 'text', column => column.notNull())
    .addColumn('may_write', 'integer', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute()
  for (const column of ['file_id', 'user_id', 'expires_at'])
    await db.schema.createIndex(`office_tokens_${column}`).on('office_tokens').column(column).execute()
  const index = db.schema.createIndex('office_files_place').on('office_files')
  if (!isOnPostgres(db)) return void (await index.column('place').execute())
  // An index of PostgreSQL takes texts of at most 2.7 kB.
  await sql`create index office_files_place on office_files (left(place, 600))`.execute(db)
}
