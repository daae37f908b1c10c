import type { Kysely } from 'kysely'

/** Tokens in the URLs of imported share links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('shares')
    .addColumn('token_hash', 'text', column => column.notNull().defaultTo(''))
    .execute()
}
