import type { Kysely } from 'kysely'

/** Personal API tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_tokens')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('label', 'text', column => column.notNull())
    .addColumn('hash', 'text', column => column.notNull().unique())
    .addColumn('hint', 'text', column => column.notNull())
    .addColumn('scopes', 'text', column => column.notNull())
    .addColumn('folders', 'text', column => column.notNull())
    .addColumn('networks', 'text', column => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('address', 'text', column => column.notNull().defaultTo(''))
    .addColumn('agent', 'text', column => column.notNull().defaultTo(''))
    .execute()
  await db.schema.createIndex('api_tokens_user').on('api_tokens').column('user_id').execute()
}
