import { type Kysely, sql } from 'kysely'

/**
 * The audit log, each row with a hash that includes the previous one; and the authentication method of sessions and
 * jobs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('username', 'text', column => column.notNull())
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('outcome', 'text', column => column.notNull())
    .addColumn('way', 'text', column => column.notNull())
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('hash', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('audit_username').on('audit').columns(['username', 'id']).execute()
  await db.schema.createIndex('audit_action').on('audit').columns(['action', 'id']).execute()
  await db.schema
    .createTable('audit_chain')
    .addColumn('anchor_id', 'bigint', column => column.notNull())
    .addColumn('anchor_hash', 'text', column => column.notNull())
    .addColumn('head_id', 'bigint', column => column.notNull())
    .addColumn('head_hash', 'text', column => column.notNull())
    .execute()
  await sql`insert into audit_chain values (0, '', 0, '')`.execute(db)
  await db.schema
    .alterTable('sessions')
    .addColumn('way', 'text', column => column.notNull().defaultTo('session'))
    .execute()
  await db.schema
    .alterTable('jobs')
    .addColumn('origin', 'text', column => column.notNull().defaultTo('{}'))
    .execute()
}
