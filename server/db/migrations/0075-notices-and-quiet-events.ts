import type { Kysely } from 'kysely'

/** Mails that users switch off by kind; events that wait for others about the same file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('mail_addresses')
    .addColumn('notices_off', 'text', column => column.notNull().defaultTo(''))
    .execute()
  await db.schema.alterTable('webhook_deliveries').addColumn('subject', 'text').execute()
  await db.schema.alterTable('webhook_deliveries').addColumn('quiet_until', 'bigint').execute()
  await db.schema
    .createIndex('webhook_deliveries_subject')
    .on('webhook_deliveries')
    .columns(['subject', 'created_at'])
    .execute()
}
