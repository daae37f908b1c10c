import { type Kysely, sql } from 'kysely'

/** Mail addresses of users, and mails on their way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mail_addresses')
    .addColumn('user_id', 'integer', column => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('pending', 'text', column => column.notNull())
    .addColumn('notices', 'integer', column => column.notNull().defaultTo(1))
    .execute()
  await db.schema.createIndex('mail_addresses_address').on('mail_addresses').expression(sql`lower(address)`).execute()
  await db.schema
    .createTable('mails')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.references('users.id').onDelete('cascade'))
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('about', 'text', column => column.notNull())
    .addColumn('data', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('tries', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', column => column.notNull())
    .addColumn('reason', 'text', column => column.notNull().defaultTo(''))
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('mails_due').on('mails').columns(['state', 'next_at']).execute()
  await db.schema.createIndex('mails_of').on('mails').columns(['kind', 'about']).execute()
}
