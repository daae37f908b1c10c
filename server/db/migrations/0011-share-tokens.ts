import type { Kysely } from 'kysely'

/** Tokens that stand in addresses of imported links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('shares')
    .addColumn('token_hash', 'text', column => column.notNull().defaultTo(''))
    .execute()
}
