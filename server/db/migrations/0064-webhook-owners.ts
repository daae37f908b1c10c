import type { Kysely } from 'kysely'

/** The users whose webhooks are their own, and the scope that the paths of an event are in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('webhooks')
    .addColumn('user_id', 'integer', column => column.references('users.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('webhooks_user').on('webhooks').column('user_id').execute()
  await db.schema.alterTable('webhook_deliveries').addColumn('scope', 'text').execute()
}
