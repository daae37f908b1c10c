import { type Kysely, sql } from 'kysely'

/** When users were last seen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('last_seen')
    .addColumn('user_id', 'integer', column => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('at', 'bigint', column => column.notNull())
    .execute()
  await sql`insert into last_seen select user_id, max(seen_at) from sessions group by user_id`.execute(db)
}
