import type { Kysely } from 'kysely'

/** Webhooks, and the events on their way to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('url', 'text', column => column.notNull())
    .addColumn('secret', 'text', column => column.notNull())
    .addColumn('old_secret', 'text')
    .addColumn('old_until', 'bigint')
    .addColumn('types', 'text', column => column.notNull())
    .addColumn('folder', 'text', column => column.notNull())
    .addColumn('enabled', 'integer', column => column.notNull())
    .addColumn('off_reason', 'text', column => column.notNull())
    .addColumn('failing_since', 'bigint')
    .addColumn('last_delivery', 'bigint')
    .addColumn('dropped', 'bigint', column => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('webhook_id', 'text', column => column.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('tries', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', column => column.notNull())
    .addColumn('last_status', 'integer')
    .addColumn('last_reason', 'text', column => column.notNull().defaultTo(''))
    .addColumn('last_answer', 'text', column => column.notNull().defaultTo(''))
    .addColumn('last_ms', 'integer')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('webhook_deliveries_due').on('webhook_deliveries').columns(['state', 'next_at']).execute()
  await db.schema
    .createIndex('webhook_deliveries_of')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'created_at'])
    .execute()
}
